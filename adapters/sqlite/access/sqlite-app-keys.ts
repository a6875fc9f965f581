import type { Statement } from 'better-sqlite3';
import type { AppKey } from '../../../core/access/app-key.ts';
import type { AppKeys } from '../../../core/access/app-keys.port.ts';
import type { Call } from '../../../core/call.ts';
import { fromAppKeyRow, type AppKeyRow } from './app-key-row.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

export class SqliteAppKeys implements AppKeys {
  readonly #store: SqliteStore;
  readonly #find: Statement<[string], AppKeyRow>;

  constructor(store: SqliteStore) {
    this.#store = store;
    this.#find = store.connection.prepare('SELECT * FROM app_keys WHERE digest = ?');
  }

  find(digest: string, call: Call): Promise<AppKey | null> {
    return this.#store.reads.read(call, () => {
      const row = this.#find.get(digest);
      return row === undefined ? null : fromAppKeyRow(row);
    });
  }

  recordUse(id: string, at: Date): void {
    this.#store.uses.note(id, at);
  }
}
