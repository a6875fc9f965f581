import type { Call } from '../../core/call.ts';
import type { IdempotencyRecord } from '../../core/entitlement/idempotency/idempotency-record.ts';
import type { IdempotencyRecords, RetentionPromises } from '../../core/entitlement/idempotency/idempotency.port.ts';
import { expiredAt, type RetentionPromise } from '../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../core/entitlement/idempotency/shared-retention.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryIdempotencyRecords implements IdempotencyRecords {
  readonly #store: MemoryStore;
  readonly #retention: SharedRetention;

  constructor(store: MemoryStore, retention: SharedRetention) {
    this.#store = store;
    this.#retention = retention;
  }

  async find(productId: string, key: string, call: Call): Promise<IdempotencyRecord | null> {
    const expired = expiredAt(await this.#retention.current(call), call.now);
    return liveRecord(this.#store, productId, key, expired);
  }
}

/** Finds the record of a key that was made after `expired`. */
export function liveRecord(
  store: MemoryStore,
  productId: string,
  key: string,
  expired: Date,
): IdempotencyRecord | null {
  const holder = store.recordHolders.get(recordHolder(productId, key));
  const record = holder === undefined ? undefined : store.records.get(holder)?.get(key);
  return record !== undefined && record.at > expired ? record : null;
}

/** Removes the records of an entitlement that were made by `expired`. Returns how many they were. */
export function removeExpired(store: MemoryStore, entitlementId: string, expired: Date): number {
  let removed = 0;
  const records = store.records.get(entitlementId);
  for (const { productId, key, at } of records?.values() ?? []) {
    if (at > expired) continue;
    records?.delete(key);
    removed += 1;
    const holder = recordHolder(productId, key);
    if (store.recordHolders.get(holder) === entitlementId) store.recordHolders.delete(holder);
  }
  return removed;
}

/** The key of `MemoryStore.recordHolders`. */
export function recordHolder(productId: string, key: string): string {
  return JSON.stringify([productId, key]);
}

export class MemoryRetentionPromises implements RetentionPromises {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async list(): Promise<readonly RetentionPromise[]> {
    return [...this.#store.retentionPromises].map(([milliseconds, until]) => ({ milliseconds, until }));
  }

  async add({ milliseconds, until }: RetentionPromise): Promise<void> {
    const known = this.#store.retentionPromises.get(milliseconds);
    if (known === undefined || known < until) this.#store.retentionPromises.set(milliseconds, until);
  }
}
