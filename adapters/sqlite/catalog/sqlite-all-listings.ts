import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { AllListings, ListingPart } from '../../../core/catalog/administration/all-listings.port.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { mapOrNull, selectFrom } from '../engine/table.ts';
import { ListingChanges } from './listing-changes.ts';
import { fromListingRow, listingsTable, type ListingRow } from './listing-row.ts';

export class SqliteAllListings implements AllListings {
  readonly #database: SqliteDatabase;
  readonly #changes: ListingChanges;
  readonly #find: Statement<[string], ListingRow>;
  readonly #page: Statement<[string, number], ListingRow>;
  readonly #pageInState: Statement<[string, string, number], ListingRow>;
  readonly #categories: Statement<[number], string>;
  readonly #delete: Statement<[string]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    const select = selectFrom(listingsTable);
    this.#database = database;
    this.#changes = new ListingChanges(database);
    this.#find = connection.prepare(`${select} WHERE slug = ?`);
    this.#page = connection.prepare(`${select} WHERE slug > ? ORDER BY slug LIMIT ?`);
    this.#pageInState = connection.prepare(`${select} WHERE state = ? AND slug > ? ORDER BY slug LIMIT ?`);
    this.#categories = connection
      .prepare<[number], string>('SELECT DISTINCT category FROM listings ORDER BY category LIMIT ?')
      .pluck();
    this.#delete = connection.prepare('DELETE FROM listings WHERE slug = ?');
  }

  find(slug: string, call: Call): Promise<Listing | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(slug), fromListingRow));
  }

  page({ state, after, limit }: ListingPart, call: Call): Promise<readonly Listing[]> {
    const from = after ?? '';
    return this.#database.read(call, () => {
      const rows = state === null ? this.#page.all(from, limit) : this.#pageInState.all(state, from, limit);
      return rows.map(fromListingRow);
    });
  }

  categories(limit: number, call: Call): Promise<readonly string[]> {
    return this.#database.read(call, () => this.#categories.all(limit));
  }

  delete(slug: string, call: Call): Promise<0 | 1> {
    return this.#database.write(call, () => {
      if (this.#delete.run(slug).changes === 0) return 0;
      this.#changes.forget();
      return 1;
    });
  }
}
