import type { Statement } from 'better-sqlite3';
import type { AppKey } from '../../../core/access/app-key.ts';
import type { AppKeys } from '../../../core/access/app-keys.port.ts';
import type { Call } from '../../../core/call.ts';
import { mapOrNull } from '../engine/nullable.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import { appKeysTable, fromAppKeyRow, type AppKeyRow } from './app-key-row.ts';
import type { LastUsedBuffer } from './last-used-buffer.ts';

export class SqliteAppKeys implements AppKeys {
  readonly #database: SqliteDatabase;
  readonly #lastUsed: LastUsedBuffer;
  readonly #find: Statement<[string], AppKeyRow>;

  constructor(database: SqliteDatabase, lastUsed: LastUsedBuffer) {
    this.#database = database;
    this.#lastUsed = lastUsed;
    this.#find = database.connection.prepare(`${selectFrom(appKeysTable)} WHERE digest = ?`);
  }

  find(digest: string, call: Call): Promise<AppKey | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(digest), fromAppKeyRow));
  }

  recordUse(id: string, at: Date): void {
    this.#lastUsed.recordUse(id, at);
  }
}
