import type { Call } from '../../../core/call.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import type { IdempotencyRecords, RetentionPromises } from '../../../core/entitlement/idempotency/idempotency.port.ts';
import { expiredAt, type RetentionPromise } from '../../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../../core/entitlement/idempotency/shared-retention.ts';
import { oneOf } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import type { StoredEntitlement } from './entitlement-document.ts';
import { fromRecordDocument } from './record-document.ts';

/** An entitlement with the records that were looked up. */
type Holder = Pick<StoredEntitlement, '_id' | 'productId' | 'records'>;

export class MongoIdempotencyRecords implements IdempotencyRecords {
  readonly #retention: SharedRetention;
  /** By product and key. A key that was used again after it had expired may have several records. */
  readonly #lookups: ReadBatcher<readonly IdempotencyRecord[]>;

  constructor(database: MongoDatabase, retention: SharedRetention) {
    this.#retention = retention;
    this.#lookups = new ReadBatcher(async (names) => {
      const keys = names.map(keyOf);
      const holders = await database.findOnce<Holder>('entitlements', {
        filter: filterFor(names),
        projection: {
          productId: 1,
          records: { $filter: { input: '$records', cond: { $in: ['$$this.key', { $literal: keys }] } } },
        },
        limit: names.length,
      });
      return byName(holders);
    }, database.onBatch);
  }

  async find(productId: string, key: string, call: Call): Promise<IdempotencyRecord | null> {
    const expired = expiredAt(await this.#retention.current(call), call.now);
    const records = await this.#lookups.find(nameOf(productId, key), call);
    return records?.find(({ at }) => at > expired) ?? null;
  }
}

/** The product and the key as one string. Identifiers have no slash, so that the first one separates the two. */
function nameOf(productId: string, key: string): string {
  return `${productId}/${key}`;
}

function keyOf(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** One clause for each product. A single clause would make the server look up every key in every product. */
function filterFor(names: readonly string[]): object {
  const byProduct = Map.groupBy(names, (name) => name.slice(0, name.indexOf('/')));
  const clauses = [...byProduct].map(([productId, own]) => ({ productId, 'records.key': oneOf(own.map(keyOf)) }));
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined ? only : { $or: clauses };
}

function byName(holders: readonly Holder[]): ReadonlyMap<string, readonly IdempotencyRecord[]> {
  const found = holders.flatMap(({ _id, productId, records = [] }) =>
    records.map((record) => fromRecordDocument(record, { productId, entitlementId: _id })),
  );
  return Map.groupBy(found, ({ productId, key }) => nameOf(productId, key));
}

/** A document of `retention_promises`, stored under its length in milliseconds. */
export interface PromiseDocument {
  readonly _id: number;
  readonly until: Date;
}

/** More lengths than the settings of one store ever have. */
const maxPromises = 1000;

export class MongoRetentionPromises implements RetentionPromises {
  readonly #database: MongoDatabase;

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  async list(call: Call): Promise<readonly RetentionPromise[]> {
    const query = { filter: {}, limit: maxPromises };
    const documents = await this.#database.find<PromiseDocument>('retention_promises', query, call);
    return documents.map(({ _id, until }) => ({ milliseconds: _id, until }));
  }

  async add({ milliseconds, until }: RetentionPromise, call: Call): Promise<void> {
    const promises = this.#database.collection<PromiseDocument>('retention_promises');
    await this.#database.write(call, () =>
      promises.updateOne({ _id: milliseconds }, { $max: { until } }, { upsert: true }),
    );
  }
}
