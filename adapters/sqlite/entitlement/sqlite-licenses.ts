import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { Licenses } from '../../../core/entitlement/license/licenses.port.ts';
import { mapOrNull } from '../engine/nullable.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import { entitlementsTable, fromEntitlementRow, type EntitlementRow } from './entitlement-row.ts';

export class SqliteLicenses implements Licenses {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], EntitlementRow>;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#find = database.connection.prepare(`${selectFrom(entitlementsTable)} WHERE license_digest = ?`);
  }

  find(digest: string, call: Call): Promise<Entitlement | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(digest), fromEntitlementRow));
  }
}
