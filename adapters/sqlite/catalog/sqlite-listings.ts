import type { Statement } from 'better-sqlite3';
import type { Call, NewCall } from '../../../core/call.ts';
import { changesOf } from '../../../core/catalog/catalog-changes.ts';
import type { Listing, ListingState } from '../../../core/catalog/listing.ts';
import type {
  CatalogChanges,
  ListingKeys,
  Listings,
  LoadedCatalog,
  Cursor,
} from '../../../core/catalog/listings.port.ts';
import { ListingChanges } from './listing-changes.ts';
import { fromListingRow, toListingRow, type ListingRow } from './listing-row.ts';
import { inPages, pageSize } from '../engine/pages.ts';
import { presentValues, type PresentValues } from '../engine/existing-values.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

/** A cursor is the number of a change. A change and its number are committed together, and SQLite has one writer at a time. */
export class SqliteListings implements Listings {
  readonly #store: SqliteStore;
  readonly #changes: ListingChanges;
  readonly #changedAfter: Statement<[number, number], ListingRow>;
  readonly #page: Statement<[string, number], ListingRow>;
  readonly #livePage: Statement<[string, number], ListingRow>;
  readonly #slugOf: Statement<[string], string>;
  readonly #idOf: Statement<[string], string>;
  readonly #presentSlugs: PresentValues;
  readonly #presentIds: PresentValues;
  readonly #put: Statement<[ListingRow]>;
  readonly #setState: Statement<[Pick<ListingRow, 'slug' | 'state' | 'change'>]>;

  constructor(store: SqliteStore) {
    const { connection } = store;
    this.#store = store;
    this.#changes = new ListingChanges(store);
    this.#changedAfter = connection.prepare('SELECT * FROM listings WHERE change > ? ORDER BY change LIMIT ?');
    this.#page = connection.prepare('SELECT * FROM listings WHERE slug > ? ORDER BY slug LIMIT ?');
    this.#livePage = connection.prepare(
      `SELECT * FROM listings WHERE slug > ? AND state = 'live' ORDER BY slug LIMIT ?`,
    );
    this.#slugOf = connection.prepare<[string], string>('SELECT slug FROM listings WHERE id = ?').pluck();
    this.#idOf = connection.prepare<[string], string>('SELECT id FROM listings WHERE slug = ?').pluck();
    this.#presentSlugs = presentValues(store, 'listings', 'slug');
    this.#presentIds = presentValues(store, 'listings', 'id');
    this.#put = connection.prepare(`
      REPLACE INTO listings
      VALUES (@slug, @id, @name, @blurb, @category, @commission_percent, @compensation_type, @compensation_label,
        @featured, @storefront_count, @state, @published_at, @upfront_cents, @change)`);
    this.#setState = connection.prepare(
      'UPDATE listings SET state = @state, change = @change WHERE slug = @slug AND state <> @state',
    );
  }

  async load(call: Call): Promise<LoadedCatalog> {
    const cursor = String(await this.#store.reads.read(call, () => this.#changes.last()));
    const live: Listing[] = [];
    for await (const listing of this.#pages(this.#livePage, () => call)) live.push(listing);
    return { live, cursor };
  }

  /** Read in pages until one is the last: the state at the last of them, because what changed since its page comes again. */
  async changesSince(cursor: Cursor, call: Call): Promise<CatalogChanges> {
    const latest = new Map<string, Listing>();
    let seen = Number(cursor);
    for (;;) {
      const after = seen;
      const rows = await this.#store.reads.read(call, () =>
        this.#changes.areKnownAfter(after) ? this.#changedAfter.all(after, pageSize) : null,
      );
      if (rows === null) return { kind: 'too old' };
      for (const row of rows) latest.set(row.slug, fromListingRow(row));
      seen = rows.at(-1)?.change ?? seen;
      if (rows.length < pageSize) return changesOf(latest.values(), String(seen));
    }
  }

  list(newCall: NewCall): AsyncIterable<Listing> {
    return this.#pages(this.#page, newCall);
  }

  async put(listings: readonly Listing[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    return Promise.all(listings.map((listing) => this.#putOne(listing, call)));
  }

  async findExisting(
    { slugs, ids }: ListingKeys<readonly string[]>,
    call: Call,
  ): Promise<ListingKeys<ReadonlySet<string>>> {
    return { slugs: await this.#presentSlugs(slugs, call), ids: await this.#presentIds(ids, call) };
  }

  setState(slug: string, state: ListingState, call: Call): Promise<'stored' | 'unchanged' | 'not found'> {
    return this.#store.writes.write(call, () => {
      if (this.#setState.run({ slug, state, change: this.#changes.next() }).changes > 0) return 'stored';
      return this.#idOf.get(slug) === undefined ? 'not found' : 'unchanged';
    });
  }

  #putOne(listing: Listing, call: Call): Promise<'stored' | 'id taken'> {
    return this.#store.writes.write(call, () => {
      const id = this.#idOf.get(listing.slug) ?? listing.id;
      if ((this.#slugOf.get(id) ?? listing.slug) !== listing.slug) return 'id taken';
      this.#put.run({ ...toListingRow(listing), id, change: this.#changes.next() });
      return 'stored';
    });
  }

  async *#pages(statement: Statement<[string, number], ListingRow>, newCall: NewCall): AsyncIterable<Listing> {
    const rows = inPages(
      this.#store,
      newCall,
      (after, size) => statement.all(after, size),
      ({ slug }) => slug,
    );
    for await (const row of rows) yield fromListingRow(row);
  }
}
