import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { AllKeys, KeyEnd, KeyPosition, Keys } from '../../../core/key/keys.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom } from '../engine/table.ts';
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

interface KeyPage {
  /** Only app keys have a product. */
  readonly productId?: string | null;
  readonly after: KeyPosition | null;
  readonly limit: number;
}

interface End {
  readonly id: string;
  readonly at: number;
}

export class SqliteAllKeys<Key, Row extends KeyRow> implements AllKeys<Key> {
  readonly #database: SqliteDatabase;
  readonly #keys: KeyTable<Key, Row>;
  readonly #find: Statement<[string], Row>;
  readonly #insert: Statement<[Row]>;
  readonly #revoke: Statement<[End]>;
  readonly #expire: Statement<[End]>;

  constructor(database: SqliteDatabase, keys: KeyTable<Key, Row>) {
    const { connection } = database;
    const { name } = keys.table;
    this.#database = database;
    this.#keys = keys;
    this.#find = connection.prepare(`${selectFrom(keys.table)} WHERE id = ?`);
    this.#insert = connection.prepare(insertInto(keys.table));
    this.#revoke = connection.prepare(`UPDATE ${name} SET revoked_at = @at WHERE id = @id AND revoked_at IS NULL`);
    this.#expire = connection.prepare(`
      UPDATE ${name} SET expires_at = @at
      WHERE id = @id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > @at)`);
  }

  find(id: string, call: Call): Promise<Key | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), this.#keys.fromRow));
  }

  page({ productId = null, after, limit }: KeyPage, call: Call): Promise<readonly Key[]> {
    const { id, createdAt } = after ?? { id: '', createdAt: new Date(-1) };
    const ofProduct = productId === null ? '' : 'product_id = @productId AND';
    const page = this.#database.connection.prepare<[object], Row>(`
      ${selectFrom(this.#keys.table)} WHERE ${ofProduct} (created_at, id) > (@at, @id)
      ORDER BY created_at, id LIMIT @limit`);
    const parameters = { at: createdAt.getTime(), id, limit, ...(productId !== null && { productId }) };
    return this.#database.read(call, () => page.all(parameters).map(this.#keys.fromRow));
  }

  add(key: Key, call: Call): Promise<'added' | 'id taken'> {
    const row = this.#keys.toRow(key);
    return this.#database.write(call, () => {
      if (this.#find.get(row.id) !== undefined) return 'id taken';
      this.#insert.run(row);
      return 'added';
    });
  }

  end(id: string, by: KeyEnd, call: Call): Promise<'ended' | 'unchanged'> {
    return this.#database.write(call, () => {
      const { changes } =
        'revokedAt' in by
          ? this.#revoke.run({ id, at: by.revokedAt.getTime() })
          : this.#expire.run({ id, at: by.expiresAt.getTime() });
      return changes === 1 ? 'ended' : 'unchanged';
    });
  }
}
