import type { Call } from '../../../core/call.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import type { IdempotencyRecords } from '../../../core/entitlement/idempotency/idempotency-records.port.ts';
import { expiredAt, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { StoredEntitlement } from './entitlement-document.ts';
import { findDocuments, oneOf } from '../driver/find.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import type { MongoStore } from '../driver/mongo-store.ts';
import { fromRecordDocument } from './record-document.ts';

type WithRecords = Pick<StoredEntitlement, '_id' | 'productId' | 'records'>;

export class MongoIdempotencyRecords implements IdempotencyRecords {
  readonly #retention: Retention;
  /** By product and key; of a key that has expired and been used again, all records. */
  readonly #lookups: ReadBatcher<readonly IdempotencyRecord[]>;

  constructor({ database }: MongoStore, retention: Retention) {
    this.#retention = retention;
    this.#lookups = new ReadBatcher(async (names) => {
      const keys = names.map(keyOf);
      const holders = await findDocuments<WithRecords>(database, 'entitlements', {
        filter: filterOf(names),
        projection: {
          productId: 1,
          records: { $filter: { input: '$records', cond: { $in: ['$$this.key', { $literal: keys }] } } },
        },
        batchSize: names.length,
      });
      return byName(holders);
    });
  }

  async find(productId: string, key: string, call: Call): Promise<IdempotencyRecord | null> {
    const expired = expiredAt(this.#retention, call.now);
    const records = await this.#lookups.find(nameOf(productId, key), call);
    return records?.find(({ at }) => at > expired) ?? null;
  }
}

/** No identifier has a slash, so that the first one ends the product's. */
function nameOf(productId: string, key: string): string {
  return `${productId}/${key}`;
}

function keyOf(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** One clause for each product: every key with every product would be looked up otherwise. */
function filterOf(names: readonly string[]): object {
  const byProduct = Map.groupBy(names, (name) => name.slice(0, name.indexOf('/')));
  const clauses = [...byProduct].map(([productId, of]) => ({ productId, 'records.key': oneOf(of.map(keyOf)) }));
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined ? only : { $or: clauses };
}

function byName(holders: readonly WithRecords[]): ReadonlyMap<string, readonly IdempotencyRecord[]> {
  const found = holders.flatMap(({ _id, productId, records = [] }) =>
    records.map((record) => fromRecordDocument(record, { productId, entitlementId: _id })),
  );
  return Map.groupBy(found, ({ productId, key }) => nameOf(productId, key));
}
