import { ContainerModule } from 'inversify';
import { MongoAllAppKeys } from '../../adapters/mongo/access/mongo-all-app-keys.ts';
import { MongoAllEntitlements } from '../../adapters/mongo/entitlement/mongo-all-entitlements.ts';
import { MongoAppKeys } from '../../adapters/mongo/access/mongo-app-keys.ts';
import { MongoArchive } from '../../adapters/mongo/maintenance/mongo-archive.ts';
import { MongoEntitlements } from '../../adapters/mongo/entitlement/mongo-entitlements.ts';
import { MongoIdempotencyRecords } from '../../adapters/mongo/entitlement/mongo-idempotency-records.ts';
import { MongoLicenses } from '../../adapters/mongo/entitlement/mongo-licenses.ts';
import { MongoListings } from '../../adapters/mongo/catalog/mongo-listings.ts';
import { MongoMaintenance } from '../../adapters/mongo/maintenance/mongo-maintenance.ts';
import { MongoProducts } from '../../adapters/mongo/mongo-products.ts';
import { MongoWaitlist } from '../../adapters/mongo/mongo-waitlist.ts';
import type { Topology } from '../../adapters/mongo/driver/mongo-store.ts';
import { openMongo } from '../../adapters/mongo/open-mongo-store.ts';
import type { Call } from '../../core/call.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import { tokens } from '../service/tokens.ts';
import type { Store } from './store.ts';

const meaning: Readonly<Record<Topology, string>> = {
  'replica set': 'durable on a majority of its members at every answer',
  'sharded cluster': 'durable on a majority of each shard at every answer',
  standalone: 'for development only, because it is lost with its one server',
};

export async function openMongoStore(
  url: string,
  may: { readonly create: boolean },
  retention: Retention,
  call: Call,
): Promise<Store> {
  const store = await openMongo(url, may, call);
  return {
    module: new ContainerModule(({ bind }) => {
      bind(tokens.allAppKeys).toConstantValue(new MongoAllAppKeys(store));
      bind(tokens.allEntitlements).toConstantValue(new MongoAllEntitlements(store));
      bind(tokens.appKeys).toConstantValue(new MongoAppKeys(store));
      bind(tokens.entitlements).toConstantValue(new MongoEntitlements(store, retention));
      bind(tokens.idempotencyRecords).toConstantValue(new MongoIdempotencyRecords(store, retention));
      bind(tokens.licenses).toConstantValue(new MongoLicenses(store));
      bind(tokens.listings).toConstantValue(new MongoListings(store));
      bind(tokens.maintenance).toConstantValue(new MongoMaintenance(store, retention));
      bind(tokens.products).toConstantValue(new MongoProducts(store));
      bind(tokens.waitlist).toConstantValue(new MongoWaitlist(store));
    }),
    archive: new MongoArchive(store),
    description: `mongodb: a ${store.topology}, ${meaning[store.topology]}`,
    ready: (to) => store.isReady(to),
    close: () => store.close(),
  };
}
