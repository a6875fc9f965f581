import type { Call } from '../../core/call.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import type { Store, StorePorts } from '../../core/store/store.port.ts';
import { LastUsedBuffer } from './access/last-used-buffer.ts';
import { SqliteAllAppKeys } from './access/sqlite-all-app-keys.ts';
import { SqliteAppKeys } from './access/sqlite-app-keys.ts';
import { SqliteListings } from './catalog/sqlite-listings.ts';
import { SqliteArchive } from './copy/sqlite-archive.ts';
import { openConnection } from './engine/connection.ts';
import { SqliteDatabase } from './engine/sqlite-database.ts';
import { SqliteAllEntitlements } from './entitlement/sqlite-all-entitlements.ts';
import { SqliteEntitlements } from './entitlement/sqlite-entitlements.ts';
import { SqliteIdempotencyRecords } from './entitlement/sqlite-idempotency-records.ts';
import { SqliteLicenses } from './entitlement/sqlite-licenses.ts';
import { SqliteMaintenance } from './maintenance/sqlite-maintenance.ts';
import { SqliteProducts } from './product/sqlite-products.ts';
import { SqliteWaitlist } from './waitlist/sqlite-waitlist.ts';

/** Opens the store file at `path`. Throws `UnusableStore` as `openConnection` does. */
export async function openSqliteStore(
  path: string,
  options: { readonly create: boolean },
  retention: Retention,
  call: Call,
): Promise<Store> {
  return sqliteStore(new SqliteDatabase(await openConnection(path, options, call)), retention);
}

/** Makes the store of an open file. */
export function sqliteStore(database: SqliteDatabase, retention: Retention): Store {
  const { connection } = database;
  const lastUsed = new LastUsedBuffer(database);
  return {
    ports: portsOf(database, lastUsed, retention),
    archive: new SqliteArchive(database),
    description: `sqlite: ${connection.name}, durable at every answer`,
    ready: async () => connection.open,
    close: async () => {
      await lastUsed.flush();
      connection.close();
    },
  };
}

function portsOf(database: SqliteDatabase, lastUsed: LastUsedBuffer, retention: Retention): StorePorts {
  return {
    allAppKeys: new SqliteAllAppKeys(database),
    allEntitlements: new SqliteAllEntitlements(database),
    appKeys: new SqliteAppKeys(database, lastUsed),
    entitlements: new SqliteEntitlements(database, retention),
    idempotencyRecords: new SqliteIdempotencyRecords(database, retention),
    licenses: new SqliteLicenses(database),
    listings: new SqliteListings(database),
    maintenance: new SqliteMaintenance(database, retention),
    products: new SqliteProducts(database),
    waitlist: new SqliteWaitlist(database),
  };
}
