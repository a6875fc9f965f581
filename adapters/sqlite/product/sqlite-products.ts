import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Product, Products } from '../../../core/product/products.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';

/** A row of `products`. Instants are milliseconds since 1970. */
export interface ProductRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
}

export const productsTable = table<ProductRow>('products', { id: true, name: true, created_at: true });

export function toProductRow({ id, name, createdAt }: Product): ProductRow {
  return { id, name, created_at: createdAt.getTime() };
}

export function fromProductRow(row: ProductRow): Product {
  return { id: row.id, name: row.name, createdAt: new Date(row.created_at) };
}

export class SqliteProducts implements Products {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], ProductRow>;
  readonly #page: Statement<[string, number], ProductRow>;
  readonly #insert: Statement<[ProductRow]>;
  readonly #setName: Statement<[Pick<ProductRow, 'id' | 'name'>]>;
  readonly #rename: Statement<[Pick<ProductRow, 'id' | 'name'> & { readonly seen: string }]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${selectFrom(productsTable)} WHERE id = ?`);
    this.#page = connection.prepare(`${selectFrom(productsTable)} WHERE id > ? ORDER BY id LIMIT ?`);
    this.#insert = connection.prepare(`${insertInto(productsTable)} ON CONFLICT DO NOTHING`);
    this.#setName = connection.prepare('UPDATE products SET name = @name WHERE id = @id AND name <> @name');
    this.#rename = connection.prepare('UPDATE products SET name = @name WHERE id = @id AND name = @seen');
  }

  find(id: string, call: Call): Promise<Product | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromProductRow));
  }

  page(after: string | null, limit: number, call: Call): Promise<readonly Product[]> {
    return this.#database.read(call, () => this.#page.all(after ?? '', limit).map(fromProductRow));
  }

  add(product: Product, call: Call): Promise<'added' | 'id taken'> {
    const row = toProductRow(product);
    return this.#database.write(call, () => (this.#insert.run(row).changes === 0 ? 'id taken' : 'added'));
  }

  put(product: Product, call: Call): Promise<'added' | 'replaced' | 'unchanged'> {
    const row = toProductRow(product);
    return this.#database.write(call, () => {
      if (this.#insert.run(row).changes === 1) return 'added';
      return this.#setName.run({ id: row.id, name: row.name }).changes === 1 ? 'replaced' : 'unchanged';
    });
  }

  rename({ id, name: seen }: Product, name: string, call: Call): Promise<ReplaceOutcome> {
    return this.#database.write(call, () => ({
      kind: this.#rename.run({ id, name, seen }).changes === 0 ? 'stale' : 'replaced',
    }));
  }
}
