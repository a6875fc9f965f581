import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Product, Products } from '../../../core/product/products.port.ts';
import { insertNew } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `products`: a product under its id. */
export type ProductDocument = { readonly _id: string } & Omit<Product, 'id'>;

export function toProductDocument({ id, ...facts }: Product): ProductDocument {
  return { _id: id, ...facts };
}

export function fromProductDocument({ _id, name, createdAt }: ProductDocument): Product {
  return { id: _id, name, createdAt };
}

export class MongoProducts implements Products {
  readonly #database: MongoDatabase;
  readonly #products: Collection<ProductDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#products = database.collection('products');
  }

  async find(id: string, call: Call): Promise<Product | null> {
    const query = { filter: { _id: id }, limit: 1 };
    const [document] = await this.#database.find<ProductDocument>('products', query, call);
    return document === undefined ? null : fromProductDocument(document);
  }

  async page(after: string | null, limit: number, call: Call): Promise<readonly Product[]> {
    const query = { filter: { _id: { $gt: after ?? '' } }, sort: { _id: 1 }, limit };
    const documents = await this.#database.find<ProductDocument>('products', query, call);
    return documents.map(fromProductDocument);
  }

  async add(product: Product, call: Call): Promise<'added' | 'id taken'> {
    const isNew = await insertNew(this.#database, 'products', toProductDocument(product), call);
    return isNew ? 'added' : 'id taken';
  }

  async put({ id, name, createdAt }: Product, call: Call): Promise<'added' | 'replaced' | 'unchanged'> {
    const update = { $set: { name }, $setOnInsert: { createdAt } };
    const { upsertedCount, modifiedCount } = await this.#database.write(call, (session) =>
      this.#products.updateOne({ _id: id }, update, { upsert: true, session }),
    );
    if (upsertedCount > 0) return 'added';
    return modifiedCount > 0 ? 'replaced' : 'unchanged';
  }

  async rename({ id, name: seen }: Product, name: string, call: Call): Promise<ReplaceOutcome> {
    const { matchedCount } = await this.#database.writeOnce(call, (session) =>
      this.#products.updateOne({ _id: id, name: seen }, { $set: { name } }, { session }),
    );
    return { kind: matchedCount > 0 ? 'replaced' : 'stale' };
  }
}
