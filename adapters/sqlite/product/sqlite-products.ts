import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { Product } from '../../../core/product/product.ts';
import type { Products } from '../../../core/product/products.port.ts';
import { mapOrNull } from '../engine/nullable.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom } from '../engine/table.ts';
import { fromProductRow, productsTable, toProductRow, type ProductRow } from './product-row.ts';

export class SqliteProducts implements Products {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], ProductRow>;
  readonly #list: Statement<[], ProductRow>;
  readonly #insert: Statement<[ProductRow]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${selectFrom(productsTable)} WHERE id = ?`);
    this.#list = connection.prepare(`${selectFrom(productsTable)} ORDER BY id`);
    this.#insert = connection.prepare(`${insertInto(productsTable)} ON CONFLICT DO NOTHING`);
  }

  find(id: string, call: Call): Promise<Product | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromProductRow));
  }

  list(call: Call): Promise<readonly Product[]> {
    return this.#database.read(call, () => this.#list.all().map(fromProductRow));
  }

  add(product: Product, call: Call): Promise<'added' | 'id taken'> {
    const row = toProductRow(product);
    return this.#database.write(call, () => (this.#insert.run(row).changes === 0 ? 'id taken' : 'added'));
  }
}
