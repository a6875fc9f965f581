import type { Call } from '../../call.ts';
import type { IdempotencyRecord } from './idempotency-record.ts';

/** Records are written with the change that they stand for: see `Entitlements.replace`. */
export interface IdempotencyRecords {
  /** The live record of a key over all entitlements of the product, or null. */
  find(productId: string, key: string, call: Call): Promise<IdempotencyRecord | null>;
}
