import type { Collection, UpdateFilter } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import {
  factsOf,
  optionalFactNames,
  plainFacts,
  type NewProduct,
  type OptionalFacts,
  type Product,
  type ProductFacts,
  type Products,
} from '../../../core/product/products.port.ts';
import { insertNew } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `products`: a product under its id. It has no member for a fact that is plain. */
export type ProductDocument = { readonly _id: string } & Omit<NewProduct, 'id'>;

export function toProductDocument({ id, name, createdAt, ...facts }: NewProduct): ProductDocument {
  return { _id: id, name, createdAt, ...givenOf(facts) };
}

export function fromProductDocument({ _id, createdAt, ...stored }: ProductDocument): Product {
  return { id: _id, createdAt, ...factsOf({ ...plainFacts, ...stored }) };
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
    const { id, createdAt, ...facts } = { ...plainFacts, ...product };
    const update = { ...settingOf(facts), $setOnInsert: { createdAt } };
    const { upsertedCount, modifiedCount } = await this.#database.write(call, (session) =>
      this.#products.updateOne({ _id: id }, update, { upsert: true, session }),
    );
    if (upsertedCount > 0) return 'added';
    return modifiedCount > 0 ? 'replaced' : 'unchanged';
  }

  async replace(seen: Product, next: ProductFacts, call: Call): Promise<ReplaceOutcome> {
    // A filter by null finds what has no such member.
    const others = optionalFactNames.map((name) => [name, isPlain(name, seen[name]) ? null : seen[name]]);
    const asSeen = { _id: seen.id, name: seen.name, ...Object.fromEntries(others) };
    const { matchedCount } = await this.#database.writeOnce(call, (session) =>
      this.#products.updateOne(asSeen, settingOf(next), { session }),
    );
    return { kind: matchedCount > 0 ? 'replaced' : 'stale' };
  }
}

function isPlain(name: keyof OptionalFacts, value: unknown): boolean {
  return value === plainFacts[name];
}

/** The update that gives a product its facts. It removes the members of those that are plain. */
function settingOf({ name, ...facts }: ProductFacts): Pick<UpdateFilter<ProductDocument>, '$set' | '$unset'> {
  const plain = optionalFactNames.filter((optional) => isPlain(optional, facts[optional]));
  return {
    $set: { name, ...givenOf(facts) },
    ...(plain.length > 0 && { $unset: Object.fromEntries(plain.map((optional) => [optional, ''])) }),
  };
}

function givenOf(facts: Partial<OptionalFacts>): Partial<OptionalFacts> {
  const given = optionalFactNames.filter((name) => facts[name] !== undefined && !isPlain(name, facts[name]));
  return Object.fromEntries(given.map((name) => [name, facts[name]]));
}
