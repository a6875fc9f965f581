import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { AllListings, ListingPart } from '../../../core/catalog/administration/all-listings.port.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { reaches, type Reach } from '../../../core/reach.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { mapOrNull, mergedValues, selectFrom, selectMerged } from '../engine/table.ts';
import { ListingChanges } from './listing-changes.ts';
import { fromListingRow, listingsTable, type ListingRow } from './listing-row.ts';

export class SqliteAllListings implements AllListings {
  readonly #database: SqliteDatabase;
  readonly #changes: ListingChanges;
  readonly #find: Statement<[string], ListingRow>;
  readonly #page: Statement<[string, number], ListingRow>;
  readonly #pageInState: Statement<[string, string, number], ListingRow>;
  readonly #categories: Statement<[number], string>;
  readonly #categoriesOf: Statement<[string, number], string>;
  readonly #delete: Statement<[string]>;
  readonly #select: string;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    const select = selectFrom(listingsTable);
    this.#database = database;
    this.#select = select;
    this.#changes = new ListingChanges(database);
    this.#find = connection.prepare(`${select} WHERE slug = ?`);
    this.#page = connection.prepare(`${select} WHERE slug > ? ORDER BY slug LIMIT ?`);
    this.#pageInState = connection.prepare(`${select} WHERE state = ? AND slug > ? ORDER BY slug LIMIT ?`);
    this.#categories = connection
      .prepare<[number], string>('SELECT DISTINCT category FROM listings ORDER BY category LIMIT ?')
      .pluck();
    this.#categoriesOf = connection
      .prepare<[string, number], string>(
        'SELECT DISTINCT category FROM listings WHERE product_id IN (SELECT value FROM json_each(?)) ORDER BY category LIMIT ?',
      )
      .pluck();
    this.#delete = connection.prepare('DELETE FROM listings WHERE slug = ?');
  }

  find(slug: string, call: Call): Promise<Listing | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(slug), fromListingRow));
  }

  page({ products, state, after, limit }: ListingPart, call: Call): Promise<readonly Listing[]> {
    const from = after ?? '';
    if (products !== null) return this.#pageOf(products, { state, from, limit }, call);
    return this.#database.read(call, () => {
      const rows = state === null ? this.#page.all(from, limit) : this.#pageInState.all(state, from, limit);
      return rows.map(fromListingRow);
    });
  }

  categories(products: readonly string[] | null, limit: number, call: Call): Promise<readonly string[]> {
    const ids = JSON.stringify(products);
    return this.#database.read(call, () =>
      products === null ? this.#categories.all(limit) : this.#categoriesOf.all(ids, limit),
    );
  }

  delete(slug: string, products: Reach, call: Call): Promise<0 | 1> {
    return this.#database.write(call, () => {
      if (products !== null && !reaches(products, this.#find.get(slug)?.product_id ?? null)) return 0;
      if (this.#delete.run(slug).changes === 0) return 0;
      this.#changes.noteDeletion(slug);
      return 1;
    });
  }

  async #pageOf(
    products: readonly string[],
    part: { readonly state: string | null; readonly from: string; readonly limit: number },
    call: Call,
  ): Promise<readonly Listing[]> {
    if (products.length === 0) return [];
    const condition = part.state === null ? 'slug > @from' : 'slug > @from AND state = @state';
    const merged = { column: 'product_id', count: products.length, condition, order: 'slug' };
    const { connection } = this.#database;
    const page = connection.prepare<[object], ListingRow>(selectMerged(this.#select, merged));
    const parameters = { ...part, ...mergedValues(products) };
    return this.#database.read(call, () => page.all(parameters).map(fromListingRow));
  }
}
