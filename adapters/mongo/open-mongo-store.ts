import type { Call } from '../../core/call.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import type { Store, StorePorts } from '../../core/store/store.port.ts';
import { MongoAllAppKeys } from './access/mongo-all-app-keys.ts';
import { MongoAppKeys } from './access/mongo-app-keys.ts';
import { MongoListings } from './catalog/mongo-listings.ts';
import { openMongo } from './driver/connect.ts';
import type { MongoStore, Topology } from './driver/mongo-store.ts';
import { MongoAllEntitlements } from './entitlement/mongo-all-entitlements.ts';
import { MongoEntitlements } from './entitlement/mongo-entitlements.ts';
import { MongoIdempotencyRecords } from './entitlement/mongo-idempotency-records.ts';
import { MongoLicenses } from './entitlement/mongo-licenses.ts';
import { MongoArchive } from './maintenance/mongo-archive.ts';
import { MongoMaintenance } from './maintenance/mongo-maintenance.ts';
import { MongoProducts } from './product/mongo-products.ts';
import { MongoWaitlist } from './waitlist/mongo-waitlist.ts';

const durability: Readonly<Record<Topology, string>> = {
  'replica set': 'durable on a majority of its members at every answer',
  'sharded cluster': 'durable on a majority of each shard at every answer',
  standalone: 'for development only, because it is lost with its one server',
};

/** Opens the database that `url` names. Throws `UnusableStore` where `openMongo` does. */
export async function openMongoStore(
  url: string,
  options: { readonly create: boolean },
  retention: Retention,
  call: Call,
): Promise<Store> {
  const store = await openMongo(url, options, call);
  return {
    ports: mongoPorts(store, retention),
    archive: new MongoArchive(store),
    description: `mongodb: a ${store.topology}, ${durability[store.topology]}`,
    ready: (one) => store.isReady(one),
    close: () => store.close(),
  };
}

/** The ports of an open database. */
export function mongoPorts(store: MongoStore, retention: Retention): StorePorts {
  return {
    allAppKeys: new MongoAllAppKeys(store),
    allEntitlements: new MongoAllEntitlements(store),
    appKeys: new MongoAppKeys(store),
    entitlements: new MongoEntitlements(store, retention),
    idempotencyRecords: new MongoIdempotencyRecords(store, retention),
    licenses: new MongoLicenses(store),
    listings: new MongoListings(store),
    maintenance: new MongoMaintenance(store, retention),
    products: new MongoProducts(store),
    waitlist: new MongoWaitlist(store),
  };
}
