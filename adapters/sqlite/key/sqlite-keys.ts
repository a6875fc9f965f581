import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { Keys } from '../../../core/key/keys.port.ts';
import { mapOrNull } from '../engine/nullable.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import type { KeyRow, KeyTable } from './key-row.ts';
import type { LastUsedBuffer } from './last-used-buffer.ts';

export class SqliteKeys<Key, Row extends KeyRow> implements Keys<Key> {
  readonly #database: SqliteDatabase;
  readonly #lastUsed: LastUsedBuffer;
  readonly #find: Statement<[string], Row>;
  readonly #fromRow: (row: Row) => Key;

  constructor(database: SqliteDatabase, { table, fromRow }: KeyTable<Key, Row>, lastUsed: LastUsedBuffer) {
    this.#database = database;
    this.#lastUsed = lastUsed;
    this.#find = database.connection.prepare(`${selectFrom(table)} WHERE digest = ?`);
    this.#fromRow = fromRow;
  }

  find(digest: string, call: Call): Promise<Key | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(digest), this.#fromRow));
  }

  recordUse(id: string, at: Date): void {
    this.#lastUsed.recordUse(id, at);
  }
}
