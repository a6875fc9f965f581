import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { AllListings, ListingPart } from '../../../core/catalog/administration/all-listings.port.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { MongoDatabase, Query } from '../driver/mongo-database.ts';
import { catalogHistoryOf, type CatalogHistory } from './catalog-history.ts';
import { fromListingDocument, type ListingDocument } from './mongo-listings.ts';

export class MongoAllListings implements AllListings {
  readonly #database: MongoDatabase;
  readonly #listings: Collection<ListingDocument>;
  readonly #history: CatalogHistory;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#listings = database.collection('listings');
    this.#history = catalogHistoryOf(database);
  }

  async find(slug: string, call: Call): Promise<Listing | null> {
    const [listing = null] = await this.#find({ filter: { _id: slug }, limit: 1 }, call);
    return listing;
  }

  page({ state, after, limit }: ListingPart, call: Call): Promise<readonly Listing[]> {
    const filter = { ...(state !== null && { state }), _id: { $gt: after ?? '' } };
    return this.#find({ filter, sort: { _id: 1 }, limit }, call);
  }

  async categories(limit: number, call: Call): Promise<readonly string[]> {
    const groups = [{ $group: { _id: '$category' } }, { $sort: { _id: 1 } }, { $limit: limit }];
    const { cursor } = await this.#database.readReply(
      { aggregate: 'listings', pipeline: groups, cursor: { batchSize: limit } },
      call,
    );
    return (cursor.firstBatch as readonly { readonly _id: string }[]).map(({ _id }) => _id);
  }

  async delete(slug: string, call: Call): Promise<0 | 1> {
    // Sent once: a second deletion would find nothing, and report that there was no listing.
    const { deletedCount } = await this.#database.writeOnce(call, (session) =>
      this.#listings.deleteOne({ _id: slug }, { session }),
    );
    await this.#history.recordWrite(call);
    return deletedCount === 0 ? 0 : 1;
  }

  async #find(query: Query, call: Call): Promise<readonly Listing[]> {
    const documents = await this.#database.find<ListingDocument>('listings', query, call);
    return documents.map(fromListingDocument);
  }
}
