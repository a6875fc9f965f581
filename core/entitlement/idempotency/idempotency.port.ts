import type { Call } from '../../call.ts';
import type { IdempotencyRecord } from './idempotency-record.ts';
import type { RetentionPromise } from './retention.ts';

/** Reads idempotency records. `Entitlements.replace` writes them, together with the change that they record. */
export interface IdempotencyRecords {
  /** Finds the live record of a key, on any entitlement of the product. */
  find(productId: string, key: string, call: Call): Promise<IdempotencyRecord | null>;
}

/** The promises that servers have made about the records of a store. They stand in the store, for all of its processes. */
export interface RetentionPromises {
  list(call: Call): Promise<readonly RetentionPromise[]>;

  /** Stores a promise. One of the same length is extended, and never shortened. */
  add(promise: RetentionPromise, call: Call): Promise<void>;
}
