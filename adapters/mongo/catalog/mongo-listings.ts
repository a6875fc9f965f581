import type { Call, NewCall } from '../../../core/call.ts';
import type { Listing, ListingState } from '../../../core/catalog/listing.ts';
import type {
  CatalogChanges,
  ListingKeys,
  Listings,
  LoadedCatalog,
  Cursor,
} from '../../../core/catalog/listings.port.ts';
import { Refusal } from '../../../core/refusal.ts';
import { within } from '../driver/deadline.ts';
import { catalogHistoryOf, type CatalogHistory } from './catalog-history.ts';
import { duplicateField } from '../driver/errors.ts';
import { findInTime, readPages } from '../driver/find.ts';
import { fromListingDocument, type ListingDocument } from './listing-document.ts';
import type { MongoStore } from '../driver/mongo-store.ts';
import { presentValues } from '../driver/present-values.ts';
import { retryWrite } from '../driver/retry-write.ts';

/** Statements of one `update`: about half a megabyte. */
const putSize = 500;

/** Listings of one answer: at most 6 MB, of the 16 that a reply may have; the server leaves out what is beyond. */
const readSize = 500;

export class MongoListings implements Listings {
  readonly #store: MongoStore;
  readonly #history: CatalogHistory;

  constructor(store: MongoStore) {
    this.#store = store;
    this.#history = catalogHistoryOf(store);
  }

  async load(call: Call): Promise<LoadedCatalog> {
    const cursor = await this.#history.cursor(call);
    const live: Listing[] = [];
    const documents = readPages<ListingDocument>(
      this.#store.database,
      'listings',
      { filter: { state: 'live' } },
      () => call,
    );
    for await (const document of documents) live.push(fromListingDocument(document));
    return { live, cursor };
  }

  async changesSince(cursor: Cursor, call: Call): Promise<CatalogChanges> {
    const since = await this.#history.since(cursor, call);
    if (since === null) return { kind: 'too old' };
    const changed = await this.#live(since.slugs, call);
    const live = new Set(changed.map(({ slug }) => slug));
    return { kind: 'changes', changed, removed: since.slugs.filter((slug) => !live.has(slug)), cursor: since.cursor };
  }

  async *list(newCall: NewCall): AsyncIterable<Listing> {
    const documents = readPages<ListingDocument>(this.#store.database, 'listings', { filter: {} }, newCall);
    for await (const document of documents) yield fromListingDocument(document);
  }

  async put(listings: readonly Listing[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    const outcomes: ('stored' | 'id taken')[] = [];
    for (let start = 0; start < listings.length; start += putSize) {
      outcomes.push(...(await this.#put(listings.slice(start, start + putSize), call)));
    }
    return outcomes;
  }

  async findExisting(keys: ListingKeys<readonly string[]>, call: Call): Promise<ListingKeys<ReadonlySet<string>>> {
    const [slugs, ids] = await Promise.all([
      presentValues(this.#store, 'listings', '_id', keys.slugs, call),
      presentValues(this.#store, 'listings', 'id', keys.ids, call),
    ]);
    return { slugs, ids };
  }

  async setState(slug: string, state: ListingState, call: Call): Promise<'stored' | 'unchanged' | 'not found'> {
    let sent = 0;
    const { matchedCount, modifiedCount } = await within(
      call,
      retryWrite(() => {
        sent += 1;
        return this.#store.listings.updateOne({ _id: slug }, { $set: { state } });
      }),
    );
    await this.#history.wrote(call);
    if (matchedCount === 0) return 'not found';
    // The first of two may have made the change that the second finds.
    return modifiedCount === 0 && sent === 1 ? 'unchanged' : 'stored';
  }

  async #put(listings: readonly Listing[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    const command = {
      update: 'listings',
      updates: listings.map(({ slug, id, ...facts }) => ({
        q: { _id: slug },
        u: { $set: facts, $setOnInsert: { id } },
        upsert: true,
      })),
      ordered: false,
      writeConcern: { w: 'majority', j: true },
    };
    const reply = await within(
      call,
      retryWrite(() => this.#store.database.command(command)),
    );
    await this.#history.wrote(call);
    const outcomes = listings.map((): 'stored' | 'id taken' => 'stored');
    for (const error of reply['writeErrors'] ?? []) {
      if (duplicateField(error) !== 'id') {
        throw new Refusal('store_unavailable', { cause: `MongoServerError ${error.code}` });
      }
      outcomes[error.index] = 'id taken';
    }
    return outcomes;
  }

  async #live(slugs: readonly string[], call: Call): Promise<readonly Listing[]> {
    const live: Listing[] = [];
    for (let start = 0; start < slugs.length; start += readSize) {
      const some = slugs.slice(start, start + readSize);
      const parts = { filter: { _id: { $in: some }, state: 'live' }, batchSize: some.length };
      const documents = await findInTime<ListingDocument>(this.#store.database, 'listings', parts, call);
      live.push(...documents.map(fromListingDocument));
    }
    return live;
  }
}
