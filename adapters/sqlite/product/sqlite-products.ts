import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { Product } from '../../../core/product/product.ts';
import type { Products } from '../../../core/product/products.port.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

export interface ProductRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
}

export class SqliteProducts implements Products {
  readonly #store: SqliteStore;
  readonly #find: Statement<[string], ProductRow>;
  readonly #list: Statement<[], ProductRow>;
  readonly #add: Statement<[ProductRow]>;

  constructor(store: SqliteStore) {
    const { connection } = store;
    this.#store = store;
    this.#find = connection.prepare('SELECT * FROM products WHERE id = ?');
    this.#list = connection.prepare('SELECT * FROM products ORDER BY id');
    this.#add = connection.prepare('INSERT INTO products VALUES (@id, @name, @created_at) ON CONFLICT DO NOTHING');
  }

  find(id: string, call: Call): Promise<Product | null> {
    return this.#store.reads.read(call, () => {
      const row = this.#find.get(id);
      return row === undefined ? null : fromRow(row);
    });
  }

  list(call: Call): Promise<readonly Product[]> {
    return this.#store.reads.read(call, () => this.#list.all().map(fromRow));
  }

  add({ id, name, createdAt }: Product, call: Call): Promise<'added' | 'id taken'> {
    const row = { id, name, created_at: createdAt.getTime() };
    return this.#store.writes.write(call, () => (this.#add.run(row).changes === 0 ? 'id taken' : 'added'));
  }
}

function fromRow(row: ProductRow): Product {
  return { id: row.id, name: row.name, createdAt: new Date(row.created_at) };
}
