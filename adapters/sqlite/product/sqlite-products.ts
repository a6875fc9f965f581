import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import {
  noLinks,
  type NewProduct,
  type Product,
  type ProductFacts,
  type Products,
} from '../../../core/product/products.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';

/** A row of `products`. Instants are milliseconds since 1970. */
export interface ProductRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
  readonly download_url: string | null;
  readonly support_url: string | null;
  readonly account_url: string | null;
}

/** The columns that can change. */
type FactColumns = Pick<ProductRow, 'id' | 'name' | 'download_url' | 'support_url' | 'account_url'>;

/** The same as they were seen. */
interface SeenColumns {
  readonly seen_name: string;
  readonly seen_download_url: string | null;
  readonly seen_support_url: string | null;
  readonly seen_account_url: string | null;
}

export const productsTable = table<ProductRow>('products', {
  id: true,
  name: true,
  created_at: true,
  download_url: true,
  support_url: true,
  account_url: true,
});

const setFacts =
  'UPDATE products SET name = @name, download_url = @download_url, support_url = @support_url, account_url = @account_url WHERE id = @id';

export function toProductRow(product: NewProduct): ProductRow {
  const { id, name, createdAt, downloadUrl, supportUrl, accountUrl } = { ...noLinks, ...product };
  const links = { download_url: downloadUrl, support_url: supportUrl, account_url: accountUrl };
  return { id, name, created_at: createdAt.getTime(), ...links };
}

export function fromProductRow(row: ProductRow): Product {
  const { id, name, download_url: downloadUrl, support_url: supportUrl, account_url: accountUrl } = row;
  return { id, name, createdAt: new Date(row.created_at), downloadUrl, supportUrl, accountUrl };
}

export class SqliteProducts implements Products {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], ProductRow>;
  readonly #page: Statement<[string, number], ProductRow>;
  readonly #insert: Statement<[ProductRow]>;
  readonly #set: Statement<[FactColumns]>;
  readonly #replace: Statement<[FactColumns & SeenColumns]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${selectFrom(productsTable)} WHERE id = ?`);
    this.#page = connection.prepare(`${selectFrom(productsTable)} WHERE id > ? ORDER BY id LIMIT ?`);
    this.#insert = connection.prepare(`${insertInto(productsTable)} ON CONFLICT DO NOTHING`);
    this.#set = connection.prepare(
      `${setFacts} AND (name <> @name OR download_url IS NOT @download_url OR support_url IS NOT @support_url OR account_url IS NOT @account_url)`,
    );
    this.#replace = connection.prepare(
      `${setFacts} AND name = @seen_name AND download_url IS @seen_download_url AND support_url IS @seen_support_url AND account_url IS @seen_account_url`,
    );
  }

  find(id: string, call: Call): Promise<Product | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromProductRow));
  }

  page(after: string | null, limit: number, call: Call): Promise<readonly Product[]> {
    return this.#database.read(call, () => this.#page.all(after ?? '', limit).map(fromProductRow));
  }

  add(product: NewProduct, call: Call): Promise<'added' | 'id taken'> {
    const row = toProductRow(product);
    return this.#database.write(call, () => (this.#insert.run(row).changes === 0 ? 'id taken' : 'added'));
  }

  put(product: NewProduct, call: Call): Promise<'added' | 'replaced' | 'unchanged'> {
    const { created_at: _, ...facts } = toProductRow(product);
    return this.#database.write(call, () => {
      if (this.#insert.run(toProductRow(product)).changes === 1) return 'added';
      return this.#set.run(facts).changes === 1 ? 'replaced' : 'unchanged';
    });
  }

  replace(seen: Product, next: ProductFacts, call: Call): Promise<ReplaceOutcome> {
    const { id, name, downloadUrl, supportUrl, accountUrl } = seen;
    const columns = {
      id,
      name: next.name,
      download_url: next.downloadUrl,
      support_url: next.supportUrl,
      account_url: next.accountUrl,
      seen_name: name,
      seen_download_url: downloadUrl,
      seen_support_url: supportUrl,
      seen_account_url: accountUrl,
    };
    return this.#database.write(call, () => ({
      kind: this.#replace.run(columns).changes === 0 ? 'stale' : 'replaced',
    }));
  }
}
