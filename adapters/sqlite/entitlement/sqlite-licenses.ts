import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { Licenses } from '../../../core/entitlement/license/licenses.port.ts';
import { fromEntitlementRow, type EntitlementRow } from './entitlement-row.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

export class SqliteLicenses implements Licenses {
  readonly #store: SqliteStore;
  readonly #find: Statement<[string], EntitlementRow>;

  constructor(store: SqliteStore) {
    this.#store = store;
    this.#find = store.connection.prepare('SELECT * FROM entitlements WHERE license_digest = ?');
  }

  find(digest: string, call: Call): Promise<Entitlement | null> {
    return this.#store.reads.read(call, () => {
      const row = this.#find.get(digest);
      return row === undefined ? null : fromEntitlementRow(row);
    });
  }
}
