import { resolve } from 'node:path';
import { ContainerModule } from 'inversify';
import { SqliteAllAppKeys } from '../../adapters/sqlite/access/sqlite-all-app-keys.ts';
import { SqliteAllEntitlements } from '../../adapters/sqlite/entitlement/sqlite-all-entitlements.ts';
import { SqliteAppKeys } from '../../adapters/sqlite/access/sqlite-app-keys.ts';
import { SqliteArchive } from '../../adapters/sqlite/maintenance/sqlite-archive.ts';
import { openSqlite } from '../../adapters/sqlite/engine/database.ts';
import { SqliteEntitlements } from '../../adapters/sqlite/entitlement/sqlite-entitlements.ts';
import { SqliteIdempotencyRecords } from '../../adapters/sqlite/entitlement/sqlite-idempotency-records.ts';
import { SqliteLicenses } from '../../adapters/sqlite/entitlement/sqlite-licenses.ts';
import { SqliteListings } from '../../adapters/sqlite/catalog/sqlite-listings.ts';
import { SqliteMaintenance } from '../../adapters/sqlite/maintenance/sqlite-maintenance.ts';
import { SqliteProducts } from '../../adapters/sqlite/sqlite-products.ts';
import { SqliteStore } from '../../adapters/sqlite/engine/sqlite-store.ts';
import { SqliteWaitlist } from '../../adapters/sqlite/sqlite-waitlist.ts';
import type { Call } from '../../core/call.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import { tokens } from '../service/tokens.ts';
import type { Store } from './store.ts';

export async function openSqliteStore(
  path: string,
  may: { readonly create: boolean },
  retention: Retention,
  call: Call,
): Promise<Store> {
  const store = new SqliteStore(await openSqlite(path, may, call));
  return {
    module: new ContainerModule(({ bind }) => {
      bind(tokens.allAppKeys).toConstantValue(new SqliteAllAppKeys(store));
      bind(tokens.allEntitlements).toConstantValue(new SqliteAllEntitlements(store));
      bind(tokens.appKeys).toConstantValue(new SqliteAppKeys(store));
      bind(tokens.entitlements).toConstantValue(new SqliteEntitlements(store, retention));
      bind(tokens.idempotencyRecords).toConstantValue(new SqliteIdempotencyRecords(store, retention));
      bind(tokens.licenses).toConstantValue(new SqliteLicenses(store));
      bind(tokens.listings).toConstantValue(new SqliteListings(store));
      bind(tokens.maintenance).toConstantValue(new SqliteMaintenance(store, retention));
      bind(tokens.products).toConstantValue(new SqliteProducts(store));
      bind(tokens.waitlist).toConstantValue(new SqliteWaitlist(store));
    }),
    archive: new SqliteArchive(store),
    description: `sqlite: ${resolve(path)}, durable at every answer`,
    ready: async () => store.connection.open,
    close: () => store.close(),
  };
}
