import type { Collection, Document } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { noAffiliateMembers, type AffiliateMembers } from '../../../core/catalog/affiliate-members.ts';
import type { Listing, ListingState } from '../../../core/catalog/listing.ts';
import type {
  CatalogChanges,
  Cursor,
  ListingKeys,
  Listings,
  ListingToPut,
  LoadedCatalog,
} from '../../../core/catalog/listings.port.ts';
import { noPageMembers, type PageMembers } from '../../../core/catalog/page-members.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { Refusal } from '../../../core/refusal.ts';
import { existingValues, insertNew, readPages } from '../driver/commands.ts';
import { duplicateField } from '../driver/errors.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { catalogHistoryOf, type CatalogHistory } from './catalog-history.ts';

/** Members that a document of an older release may lack; they read as their defaults. */
type Newer = keyof PageMembers | keyof AffiliateMembers | 'productId' | 'storefronts';

/** A document of `listings`: a listing under its slug. */
export type ListingDocument = { readonly _id: string } & Omit<Listing, 'slug' | Newer> & Partial<Pick<Listing, Newer>>;

export function toListingDocument({ slug, ...facts }: Listing): ListingDocument {
  return { _id: slug, ...facts };
}

export function fromListingDocument({ _id, productId = null, ...facts }: ListingDocument): Listing {
  return { slug: _id, ...noPageMembers, ...noAffiliateMembers, storefronts: 0, ...facts, productId };
}

/**
 * Finds the document that is equal to a listing in every member but `storefronts`. A member with its default may be missing,
 * as one that is null may be in any query.
 */
function sameAs({ slug, storefronts: _storefronts, affiliates, holdDays, ...facts }: Listing): Document {
  return {
    _id: slug,
    ...facts,
    affiliates: affiliates === noAffiliateMembers.affiliates ? { $in: [affiliates, null] } : affiliates,
    holdDays: holdDays === noAffiliateMembers.holdDays ? { $in: [holdDays, null] } : holdDays,
  };
}

/** Statements of one `update` command: about half a megabyte, and at most 20 of the 48 MB that a command may have. */
const putSize = 500;

/** Listings of one reply: at most 8 MB of the 16 MB that a reply may have. */
const readSize = 200;

export class MongoListings implements Listings {
  readonly #database: MongoDatabase;
  readonly #listings: Collection<ListingDocument>;
  readonly #history: CatalogHistory;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#listings = database.collection('listings');
    this.#history = catalogHistoryOf(database);
  }

  async load(call: Call): Promise<LoadedCatalog> {
    const cursor = await this.#history.cursor(call);
    const live: Listing[] = [];
    const liveOnes = { filter: { state: 'live' } };
    const documents = readPages<ListingDocument>(this.#database, 'listings', liveOnes, () => call);
    for await (const document of documents) live.push(fromListingDocument(document));
    return { live, cursor };
  }

  async changesSince(cursor: Cursor, call: Call): Promise<CatalogChanges> {
    const written = await this.#history.since(cursor, call);
    if (written === null) return { kind: 'too old' };
    const changed = await this.#findLive(written.slugs, call);
    const live = new Set(changed.map(({ slug }) => slug));
    const removed = written.slugs.filter((slug) => !live.has(slug));
    return { kind: 'changes', changed, removed, cursor: written.cursor };
  }

  async put(listings: readonly ListingToPut[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    const outcomes: ('stored' | 'id taken')[] = [];
    for (let start = 0; start < listings.length; start += putSize) {
      outcomes.push(...(await this.#put(listings.slice(start, start + putSize), call)));
    }
    return outcomes;
  }

  async replace(seen: Listing | null, next: Listing, call: Call): Promise<ReplaceOutcome> {
    const isStored =
      seen === null
        ? await insertNew(this.#database, 'listings', toListingDocument({ ...next, storefronts: 0 }), call)
        : await this.#replaceSeen(seen, next, call);
    await this.#history.recordWrite(call);
    return { kind: isStored ? 'replaced' : 'stale' };
  }

  async findExisting(keys: ListingKeys<readonly string[]>, call: Call): Promise<ListingKeys<ReadonlySet<string>>> {
    const [slugs, ids] = await Promise.all([
      existingValues(this.#database, 'listings', '_id', keys.slugs, call),
      existingValues(this.#database, 'listings', 'id', keys.ids, call),
    ]);
    return { slugs, ids };
  }

  setState(slug: string, state: ListingState, call: Call): Promise<'stored' | 'unchanged' | 'not found'> {
    return this.#set(slug, { state }, call);
  }

  setStorefronts(slug: string, storefronts: number, call: Call): Promise<'stored' | 'unchanged' | 'not found'> {
    return this.#set(slug, { storefronts }, call);
  }

  async #set(slug: string, facts: Partial<ListingDocument>, call: Call): Promise<'stored' | 'unchanged' | 'not found'> {
    let attempts = 0;
    const { matchedCount, modifiedCount } = await this.#database.write(call, (session) => {
      attempts += 1;
      return this.#listings.updateOne({ _id: slug }, { $set: facts }, { session });
    });
    await this.#history.recordWrite(call);
    if (matchedCount === 0) return 'not found';
    // If the update was repeated, the first attempt may have made the change.
    return modifiedCount === 0 && attempts === 1 ? 'unchanged' : 'stored';
  }

  async #put(listings: readonly ListingToPut[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    const command = {
      update: 'listings',
      updates: listings.map(({ slug, id, publishedAt, productId, storefronts: _storefronts, ...facts }) => ({
        q: { _id: slug },
        u: {
          $set: {
            ...facts,
            ...(publishedAt !== null && { publishedAt }),
            ...(productId !== undefined && { productId }),
          },
          $setOnInsert: { id, storefronts: 0, ...(publishedAt === null && { publishedAt: call.now }) },
        },
        upsert: true,
      })),
      ordered: false,
    };
    const reply = await this.#database.write(call, () => this.#database.writeCommand(command));
    await this.#history.recordWrite(call);
    const outcomes = listings.map((): 'stored' | 'id taken' => 'stored');
    for (const error of reply['writeErrors'] ?? []) {
      if (duplicateField(error) !== 'id') {
        throw new Refusal('store_unavailable', { cause: `MongoServerError ${error.code}` });
      }
      outcomes[error.index] = 'id taken';
    }
    return outcomes;
  }

  async #replaceSeen(
    seen: Listing,
    { slug: _slug, storefronts: _storefronts, ...facts }: Listing,
    call: Call,
  ): Promise<boolean> {
    // Sent once: if the first attempt was applied, a second one would find another document and report `stale`.
    const { matchedCount } = await this.#database.writeOnce(call, (session) =>
      this.#listings.updateOne(sameAs(seen), { $set: facts }, { session }),
    );
    return matchedCount > 0;
  }

  async #findLive(slugs: readonly string[], call: Call): Promise<readonly Listing[]> {
    const live: Listing[] = [];
    for (let start = 0; start < slugs.length; start += readSize) {
      const slice = slugs.slice(start, start + readSize);
      const query = { filter: { _id: { $in: slice }, state: 'live' }, limit: slice.length };
      const documents = await this.#database.find<ListingDocument>('listings', query, call);
      live.push(...documents.map(fromListingDocument));
    }
    return live;
  }
}
