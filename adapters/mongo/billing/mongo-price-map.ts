import type { Collection } from 'mongodb';
import type { PriceMap, PriceMapping } from '../../../core/billing/price-map.port.ts';
import type { Call } from '../../../core/call.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `prices`: a mapping under its price. */
export type PriceDocument = { readonly _id: string } & Omit<PriceMapping, 'price' | 'deviceLimit' | 'updates'> & {
    /** Absent without a limit. */
    readonly deviceLimit?: number;
    /** Milliseconds. Absent for none. */
    readonly updates?: number;
  };

export function toPriceDocument({ price, deviceLimit, updates, ...sold }: PriceMapping): PriceDocument {
  return { _id: price, ...sold, ...(deviceLimit !== null && { deviceLimit }), ...(updates !== null && { updates }) };
}

export function fromPriceDocument({ _id: price, deviceLimit, updates, ...sold }: PriceDocument): PriceMapping {
  return { price, ...sold, deviceLimit: deviceLimit ?? null, updates: updates ?? null };
}

export class MongoPriceMap implements PriceMap {
  readonly #database: MongoDatabase;
  readonly #prices: Collection<PriceDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#prices = database.collection('prices');
  }

  async find(price: string, call: Call): Promise<PriceMapping | null> {
    const query = { filter: { _id: price }, limit: 1 };
    const [document] = await this.#database.find<PriceDocument>('prices', query, call);
    return document === undefined ? null : fromPriceDocument(document);
  }

  async page(after: string | null, limit: number, call: Call): Promise<readonly PriceMapping[]> {
    const query = { filter: { _id: { $gt: after ?? '' } }, sort: { _id: 1 }, limit };
    const documents = await this.#database.find<PriceDocument>('prices', query, call);
    return documents.map(fromPriceDocument);
  }

  async put(mapping: PriceMapping, call: Call): Promise<'added' | 'replaced' | 'unchanged'> {
    const { _id, ...sold } = toPriceDocument(mapping);
    const update = { $set: sold, ...(sold.deviceLimit === undefined && { $unset: { deviceLimit: true } as const }) };
    const { upsertedCount, modifiedCount } = await this.#database.write(call, (session) =>
      this.#prices.updateOne({ _id }, update, { upsert: true, session }),
    );
    if (upsertedCount > 0) return 'added';
    return modifiedCount > 0 ? 'replaced' : 'unchanged';
  }

  async remove(price: string, call: Call): Promise<boolean> {
    const { deletedCount } = await this.#database.write(call, (session) =>
      this.#prices.deleteOne({ _id: price }, { session }),
    );
    return deletedCount > 0;
  }
}
