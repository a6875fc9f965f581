import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import {
  plainFacts,
  type NewProduct,
  type Product,
  type ProductFacts,
  type Products,
} from '../../../core/product/products.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';

/** A row of `products`. Instants are milliseconds since 1970, booleans 0 and 1. */
export interface ProductRow extends FactColumns {
  readonly created_at: number;
}

/** The columns that can change, with the id. */
interface FactColumns {
  readonly id: string;
  readonly name: string;
  readonly download_url: string | null;
  readonly support_url: string | null;
  readonly account_url: string | null;
  readonly activate_url: string | null;
  readonly icon_url: string | null;
  readonly mail_keys: number;
  readonly mail_subject: string | null;
  readonly mail_text: string | null;
  readonly mail_ending: number;
}

export const productsTable = table<ProductRow>('products', {
  id: true,
  name: true,
  created_at: true,
  download_url: true,
  support_url: true,
  account_url: true,
  activate_url: true,
  icon_url: true,
  mail_keys: true,
  mail_subject: true,
  mail_text: true,
  mail_ending: true,
});

const factColumns = [
  'name',
  'download_url',
  'support_url',
  'account_url',
  'activate_url',
  'icon_url',
  'mail_keys',
  'mail_subject',
  'mail_text',
  'mail_ending',
] as const satisfies readonly (keyof FactColumns)[];

/** The same as they were seen. */
type SeenColumns = { readonly [Name in (typeof factColumns)[number] as `seen_${Name}`]: FactColumns[Name] };

const setFacts = `UPDATE products SET ${factColumns.map((name) => `${name} = @${name}`).join(', ')} WHERE id = @id`;

export function toProductRow(product: NewProduct): ProductRow {
  const { createdAt, ...facts } = { ...plainFacts, ...product };
  return { ...toFactColumns(facts), created_at: createdAt.getTime() };
}

function toFactColumns(facts: ProductFacts & { readonly id: string }): FactColumns {
  return {
    id: facts.id,
    name: facts.name,
    download_url: facts.downloadUrl,
    support_url: facts.supportUrl,
    account_url: facts.accountUrl,
    activate_url: facts.activateUrl,
    icon_url: facts.iconUrl,
    mail_keys: Number(facts.mailKeys),
    mail_subject: facts.mailSubject,
    mail_text: facts.mailText,
    mail_ending: Number(facts.mailEnding),
  };
}

export function fromProductRow(row: ProductRow): Product {
  return {
    id: row.id,
    name: row.name,
    createdAt: new Date(row.created_at),
    downloadUrl: row.download_url,
    supportUrl: row.support_url,
    accountUrl: row.account_url,
    activateUrl: row.activate_url,
    iconUrl: row.icon_url,
    mailKeys: row.mail_keys === 1,
    mailSubject: row.mail_subject,
    mailText: row.mail_text,
    mailEnding: row.mail_ending === 1,
  };
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
      `${setFacts} AND (${factColumns.map((name) => `${name} IS NOT @${name}`).join(' OR ')})`,
    );
    this.#replace = connection.prepare(
      `${setFacts} AND ${factColumns.map((name) => `${name} IS @seen_${name}`).join(' AND ')}`,
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
    const before = toFactColumns(seen);
    const asSeen = Object.fromEntries(
      factColumns.map((name) => [`seen_${name}`, before[name]]),
    ) as unknown as SeenColumns;
    const columns = { ...toFactColumns({ ...next, id: seen.id }), ...asSeen };
    return this.#database.write(call, () => ({
      kind: this.#replace.run(columns).changes === 0 ? 'stale' : 'replaced',
    }));
  }
}
