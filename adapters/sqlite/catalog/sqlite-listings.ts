import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { isSameListing, type Listing, type ListingState } from '../../../core/catalog/listing.ts';
import {
  changesOf,
  type CatalogChanges,
  type Cursor,
  type ListingKeys,
  type Listings,
  type ListingToPut,
  type LoadedCatalog,
} from '../../../core/catalog/listings.port.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { existingValues, inPages, pageSize, type ExistingValues } from '../engine/large-reads.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom } from '../engine/table.ts';
import { ListingChanges } from './listing-changes.ts';
import { fromListingRow, listingsTable, toListingRow, type ListingRow } from './listing-row.ts';

interface ChangesPage {
  readonly rows: readonly ListingRow[];
  /** The slugs of deleted listings on the last page. */
  readonly deleted: readonly string[];
  /** The number of the last change on the last page. */
  readonly end: number | null;
}

/**
 * A cursor is the number of a change. It misses no change, because a change and its number are committed together and
 * SQLite has one writer at a time.
 */
export class SqliteListings implements Listings {
  readonly #database: SqliteDatabase;
  readonly #changes: ListingChanges;
  readonly #changedAfter: Statement<[number, number], ListingRow>;
  /** In one transaction, because another process may write between two statements. */
  readonly #changesPage: (cursor: number, after: number) => ChangesPage | null;
  readonly #livePage: Statement<[string, number], ListingRow>;
  readonly #slugOf: Statement<[string], string>;
  readonly #find: Statement<[string], ListingRow>;
  readonly #kept: Statement<[string], Pick<ListingRow, 'id' | 'published_at' | 'product_id' | 'storefronts'>>;
  readonly #existingSlugs: ExistingValues;
  readonly #existingIds: ExistingValues;
  readonly #put: Statement<[ListingRow]>;
  readonly #setState: Statement<[Pick<ListingRow, 'slug' | 'state' | 'change'>]>;
  readonly #setStorefronts: Statement<[Pick<ListingRow, 'slug' | 'storefronts' | 'change'>]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    const select = selectFrom(listingsTable);
    this.#database = database;
    this.#changes = new ListingChanges(database);
    this.#changedAfter = connection.prepare(`${select} WHERE change > ? ORDER BY change LIMIT ?`);
    this.#changesPage = connection.transaction((cursor: number, after: number) => this.#changesAfter(cursor, after));
    this.#livePage = connection.prepare(`${select} WHERE slug > ? AND state = 'live' ORDER BY slug LIMIT ?`);
    this.#slugOf = connection.prepare<[string], string>('SELECT slug FROM listings WHERE id = ?').pluck();
    this.#find = connection.prepare(`${select} WHERE slug = ?`);
    this.#kept = connection.prepare('SELECT id, published_at, product_id, storefronts FROM listings WHERE slug = ?');
    this.#existingSlugs = existingValues(database, listingsTable, 'slug');
    this.#existingIds = existingValues(database, listingsTable, 'id');
    this.#put = connection.prepare(insertInto(listingsTable, 'INSERT OR REPLACE'));
    this.#setState = connection.prepare(
      'UPDATE listings SET state = @state, change = @change WHERE slug = @slug AND state <> @state',
    );
    this.#setStorefronts = connection.prepare(
      'UPDATE listings SET storefronts = @storefronts, change = @change WHERE slug = @slug',
    );
  }

  async load(call: Call): Promise<LoadedCatalog> {
    const cursor = String(await this.#database.read(call, () => this.#changes.last()));
    const live: Listing[] = [];
    const readPage = (after: string, size: number): readonly ListingRow[] => this.#livePage.all(after, size);
    for await (const page of inPages(
      this.#database,
      () => call,
      readPage,
      ({ slug }) => slug,
    )) {
      for (const row of page) live.push(fromListingRow(row));
    }
    return { live, cursor };
  }

  /**
   * Reads pages until one is not full. The result is the state at that page: a listing that changed after its page was
   * read has a higher number now and is read again, or is among the deleted ones.
   */
  async changesSince(cursor: Cursor, call: Call): Promise<CatalogChanges> {
    const latest = new Map<string, Listing>();
    const from = Number(cursor);
    let seen = from;
    for (;;) {
      const after = seen;
      const page = await this.#database.read(call, () => this.#changesPage(from, after));
      if (page === null) return { kind: 'too old' };
      for (const row of page.rows) latest.set(row.slug, fromListingRow(row));
      seen = page.rows.at(-1)?.change ?? seen;
      if (page.end === null) continue;
      for (const slug of page.deleted) latest.delete(slug);
      return changesOf(latest.values(), String(page.end), page.deleted);
    }
  }

  async put(listings: readonly ListingToPut[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    return Promise.all(listings.map((listing) => this.#putOne(listing, call)));
  }

  replace(seen: Listing | null, next: Listing, call: Call): Promise<ReplaceOutcome> {
    return this.#database.write(call, () => {
      const stored = mapOrNull(this.#find.get(next.slug), fromListingRow);
      const isIdFree = (this.#slugOf.get(next.id) ?? next.slug) === next.slug;
      if (!isSameListing(stored, seen) || !isIdFree) return { kind: 'stale' };
      const storefronts = stored?.storefronts ?? 0;
      this.#put.run(toListingRow({ ...next, storefronts }, this.#changes.next()));
      return { kind: 'replaced' };
    });
  }

  async findExisting(
    { slugs, ids }: ListingKeys<readonly string[]>,
    call: Call,
  ): Promise<ListingKeys<ReadonlySet<string>>> {
    return { slugs: await this.#existingSlugs(slugs, call), ids: await this.#existingIds(ids, call) };
  }

  setState(slug: string, state: ListingState, call: Call): Promise<'stored' | 'unchanged' | 'not found'> {
    return this.#database.write(call, () => {
      if (this.#setState.run({ slug, state, change: this.#changes.next() }).changes > 0) return 'stored';
      return this.#kept.get(slug) === undefined ? 'not found' : 'unchanged';
    });
  }

  setStorefronts(slug: string, storefronts: number, call: Call): Promise<'stored' | 'unchanged' | 'not found'> {
    return this.#database.write(call, () => {
      const known = this.#kept.get(slug);
      if (known === undefined) return 'not found';
      if (known.storefronts === storefronts) return 'unchanged';
      this.#setStorefronts.run({ slug, storefronts, change: this.#changes.next() });
      return 'stored';
    });
  }

  /** The changes after a cursor that come after another number; null if not all are known. */
  #changesAfter(cursor: number, after: number): ChangesPage | null {
    switch (this.#changes.after(cursor)) {
      case 'unknown':
        return null;
      case 'none':
        return { rows: [], deleted: [], end: cursor };
      case 'some': {
        const rows = this.#changedAfter.all(after, pageSize);
        if (rows.length === pageSize) return { rows, deleted: [], end: null };
        return { rows, deleted: this.#changes.deletedAfter(cursor), end: this.#changes.last() };
      }
    }
  }

  #putOne(listing: ListingToPut, call: Call): Promise<'stored' | 'id taken'> {
    return this.#database.write(call, () => {
      const known = this.#kept.get(listing.slug);
      const id = known?.id ?? listing.id;
      if ((this.#slugOf.get(id) ?? listing.slug) !== listing.slug) return 'id taken';
      const keptAt = known === undefined ? call.now : new Date(known.published_at);
      const publishedAt = listing.publishedAt ?? keptAt;
      const productId = listing.productId === undefined ? (known?.product_id ?? null) : listing.productId;
      const storefronts = known?.storefronts ?? 0;
      this.#put.run(toListingRow({ ...listing, id, productId, publishedAt, storefronts }, this.#changes.next()));
      return 'stored';
    });
  }
}
