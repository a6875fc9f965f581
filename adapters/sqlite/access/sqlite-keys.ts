import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { Keys } from '../../../core/key/keys.port.ts';
import { mapOrNull } from '../engine/nullable.ts';
import { RememberedRows } from '../engine/remembered-rows.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import type { KeyRow, KeyTable } from './key-row.ts';
import type { LastUsedBuffer } from './last-used-buffer.ts';

export class SqliteKeys<Key, Row extends KeyRow> implements Keys<Key> {
  readonly #database: SqliteDatabase;
  readonly #lastUsed: LastUsedBuffer;
  readonly #find: Statement<[string], Row>;
  readonly #fromRow: (row: Row) => Key;
  /** Nearly all requests present one of a few keys. */
  readonly #remembered: RememberedRows<Key>;

  constructor(database: SqliteDatabase, { table, fromRow }: KeyTable<Key, Row>, lastUsed: LastUsedBuffer) {
    this.#database = database;
    this.#lastUsed = lastUsed;
    this.#find = database.connection.prepare(`${selectFrom(table)} WHERE digest = ?`);
    this.#fromRow = fromRow;
    this.#remembered = new RememberedRows(database);
  }

  find(digest: string, call: Call): Promise<Key | null> {
    const find = (): Key | null => mapOrNull(this.#find.get(digest), this.#fromRow);
    return this.#database.read(call, () => this.#remembered.get(digest, find));
  }

  recordUse(id: string, at: Date): void {
    this.#lastUsed.recordUse(id, at);
  }
}
