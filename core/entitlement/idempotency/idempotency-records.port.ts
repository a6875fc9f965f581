import type { Call } from '../../call.ts';
import type { IdempotencyRecord } from './idempotency-record.ts';

/** Reads idempotency records. `Entitlements.replace` writes them, together with the change that they record. */
export interface IdempotencyRecords {
  /** Finds the live record of a key, on whichever entitlement of the product. */
  find(productId: string, key: string, call: Call): Promise<IdempotencyRecord | null>;
}
