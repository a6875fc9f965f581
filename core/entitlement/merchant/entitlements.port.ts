import type { Call } from '../../call.ts';
import type { IdempotencyRecord } from '../idempotency/idempotency-record.ts';
import type { Entitlement } from '../entitlement.ts';

/** What became of a write. Anything thrown instead means that the outcome is unknown. */
export type ReplaceOutcome =
  | { readonly kind: 'replaced' }
  /** The stored revision is not the one that was seen. */
  | { readonly kind: 'stale' }
  /** The product has a live record of this key, on whichever entitlement. */
  | { readonly kind: 'key taken' }
  /** The entitlement has as many live records as the retention allows; the oldest ends at `roomAt`. */
  | { readonly kind: 'full'; readonly roomAt: Date };

/** Entitlements as one product's app key may see them. */
export interface Entitlements {
  /** Another product's entitlement is as absent as one that does not exist. */
  find(id: string, productId: string, call: Call): Promise<Entitlement | null>;

  /**
   * Stores `next` in the place of `seen`, together with the record, in one atomic write, or nothing at all.
   * Resolves only when the write is durable; no read sees it earlier. Expired records of the entitlement are
   * removed by the same write.
   */
  replace(seen: Entitlement, next: Entitlement, record: IdempotencyRecord, call: Call): Promise<ReplaceOutcome>;
}
