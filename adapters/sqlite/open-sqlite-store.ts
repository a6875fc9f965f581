import { resolve } from 'node:path';
import type { Call } from '../../core/call.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import type { Store, StorePorts } from '../../core/store/store.port.ts';
import { SqliteAllAppKeys } from './access/sqlite-all-app-keys.ts';
import { SqliteAppKeys } from './access/sqlite-app-keys.ts';
import { SqliteListings } from './catalog/sqlite-listings.ts';
import { openSqlite } from './engine/connection.ts';
import { SqliteStore } from './engine/sqlite-database.ts';
import { SqliteAllEntitlements } from './entitlement/sqlite-all-entitlements.ts';
import { SqliteEntitlements } from './entitlement/sqlite-entitlements.ts';
import { SqliteIdempotencyRecords } from './entitlement/sqlite-idempotency-records.ts';
import { SqliteLicenses } from './entitlement/sqlite-licenses.ts';
import { SqliteArchive } from './copy/sqlite-archive.ts';
import { SqliteMaintenance } from './maintenance/sqlite-maintenance.ts';
import { SqliteProducts } from './product/sqlite-products.ts';
import { SqliteWaitlist } from './waitlist/sqlite-waitlist.ts';

/** Opens the store file at `path`. Throws `UnusableStore` where `openSqlite` does. */
export async function openSqliteStore(
  path: string,
  options: { readonly create: boolean },
  retention: Retention,
  call: Call,
): Promise<Store> {
  const store = new SqliteStore(await openSqlite(path, options, call));
  return {
    ports: sqlitePorts(store, retention),
    archive: new SqliteArchive(store),
    description: `sqlite: ${resolve(path)}, durable at every answer`,
    ready: async () => store.connection.open,
    close: () => store.close(),
  };
}

/** The ports of an open file. */
export function sqlitePorts(store: SqliteStore, retention: Retention): StorePorts {
  return {
    allAppKeys: new SqliteAllAppKeys(store),
    allEntitlements: new SqliteAllEntitlements(store),
    appKeys: new SqliteAppKeys(store),
    entitlements: new SqliteEntitlements(store, retention),
    idempotencyRecords: new SqliteIdempotencyRecords(store, retention),
    licenses: new SqliteLicenses(store),
    listings: new SqliteListings(store),
    maintenance: new SqliteMaintenance(store, retention),
    products: new SqliteProducts(store),
    waitlist: new SqliteWaitlist(store),
  };
}
