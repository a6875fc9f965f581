import type { Collection, UpdateFilter } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import {
  noLinks,
  type NewProduct,
  type Product,
  type ProductFacts,
  type ProductLinks,
  type Products,
} from '../../../core/product/products.port.ts';
import { insertNew } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `products`: a product under its id. It has no member for a link that is null. */
export type ProductDocument = { readonly _id: string } & Omit<NewProduct, 'id'>;

export function toProductDocument({ id, name, createdAt, ...links }: NewProduct): ProductDocument {
  return { _id: id, name, createdAt, ...givenOf(links) };
}

export function fromProductDocument({ _id, name, createdAt, ...links }: ProductDocument): Product {
  const { downloadUrl, supportUrl, accountUrl } = { ...noLinks, ...links };
  return { id: _id, name, createdAt, downloadUrl, supportUrl, accountUrl };
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

  async add(product: NewProduct, call: Call): Promise<'added' | 'id taken'> {
    const isNew = await insertNew(this.#database, 'products', toProductDocument(product), call);
    return isNew ? 'added' : 'id taken';
  }

  async put(product: NewProduct, call: Call): Promise<'added' | 'replaced' | 'unchanged'> {
    const { id, createdAt, ...facts } = { ...noLinks, ...product };
    const update = { ...settingOf(facts), $setOnInsert: { createdAt } };
    const { upsertedCount, modifiedCount } = await this.#database.write(call, (session) =>
      this.#products.updateOne({ _id: id }, update, { upsert: true, session }),
    );
    if (upsertedCount > 0) return 'added';
    return modifiedCount > 0 ? 'replaced' : 'unchanged';
  }

  async replace(seen: Product, next: ProductFacts, call: Call): Promise<ReplaceOutcome> {
    const { id, name, downloadUrl, supportUrl, accountUrl } = seen;
    // A filter by null finds what has no such member.
    const asSeen = { _id: id, name, downloadUrl, supportUrl, accountUrl };
    const { matchedCount } = await this.#database.writeOnce(call, (session) =>
      this.#products.updateOne(asSeen, settingOf(next), { session }),
    );
    return { kind: matchedCount > 0 ? 'replaced' : 'stale' };
  }
}

/** The update that gives a product its name and links. It removes the member of a link that is null. */
function settingOf({
  name,
  downloadUrl,
  supportUrl,
  accountUrl,
}: ProductFacts): Pick<UpdateFilter<ProductDocument>, '$set' | '$unset'> {
  const links = { downloadUrl, supportUrl, accountUrl };
  const missing = Object.entries(links).filter(([, url]) => url === null);
  return {
    $set: { name, ...givenOf(links) },
    ...(missing.length > 0 && { $unset: Object.fromEntries(missing.map(([link]) => [link, ''])) }),
  };
}

function givenOf(links: Partial<ProductLinks>): Partial<ProductLinks> {
  return Object.fromEntries(Object.entries(links).filter(([, url]) => url !== null));
}
