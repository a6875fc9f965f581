import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { AllListings, ListingPart } from '../../../core/catalog/administration/all-listings.port.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { Reach } from '../../../core/reach.ts';
import { oneOf } from '../driver/commands.ts';
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

  async page({ products, state, after, limit }: ListingPart, call: Call): Promise<readonly Listing[]> {
    if (products?.length === 0) return [];
    const ofProducts = products !== null && { productId: oneOf(products) };
    const filter = { ...ofProducts, ...(state !== null && { state }), _id: { $gt: after ?? '' } };
    return this.#find({ filter, sort: { _id: 1 }, limit }, call);
  }

  async categories(products: readonly string[] | null, limit: number, call: Call): Promise<readonly string[]> {
    const own = products === null ? [] : [{ $match: { productId: { $in: products } } }];
    const pipeline = [...own, { $group: { _id: '$category' } }, { $sort: { _id: 1 } }, { $limit: limit }];
    const { cursor } = await this.#database.readReply(
      { aggregate: 'listings', pipeline, cursor: { batchSize: limit } },
      call,
    );
    return (cursor.firstBatch as readonly { readonly _id: string }[]).map(({ _id }) => _id);
  }

  async delete(slug: string, products: Reach, call: Call): Promise<0 | 1> {
    const filter = { _id: slug, ...(products !== null && { productId: { $in: [...products] } }) };
    // Sent once: a second deletion would find nothing, and report that there was no listing.
    const { deletedCount } = await this.#database.writeOnce(call, (session) =>
      this.#listings.deleteOne(filter, { session }),
    );
    await this.#history.recordWrite(call);
    return deletedCount === 0 ? 0 : 1;
  }

  async #find(query: Query, call: Call): Promise<readonly Listing[]> {
    const documents = await this.#database.find<ListingDocument>('listings', query, call);
    return documents.map(fromListingDocument);
  }
}
