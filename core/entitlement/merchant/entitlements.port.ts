import type { Call } from '../../call.ts';
import type { ReplaceOutcome } from '../../compare-and-set.ts';
import type { Entitlement } from '../entitlement.ts';
import type { ChangeRecord } from '../event/change-record.ts';
import type { IdempotencyRecord } from '../idempotency/idempotency-record.ts';

/** Why an idempotency record cannot be stored. */
export type NoRecord =
  /** The product has a live record of this key, on one of its entitlements. */
  | { readonly kind: 'key taken' }
  /** The entitlement has as many live records as the retention allows. The oldest expires at `roomAt`. */
  | { readonly kind: 'full'; readonly roomAt: Date };

/** The entitlements that the app keys of one product may see. */
export interface Entitlements {
  /** Finds an entitlement of the product. Another product's entitlement is null, as if it did not exist. */
  find(id: string, productId: string, call: Call): Promise<Entitlement | null>;

  /**
   * Replaces `seen` by `next` and stores the idempotency record and, unless it is null, the change record, in one atomic
   * write or not at all. Resolves once the write is durable; no read sees it earlier. The same write removes the expired
   * idempotency records of the entitlement. Safe to repeat: the idempotency record refuses a second effect.
   */
  replace(
    seen: Entitlement,
    next: Entitlement,
    record: IdempotencyRecord,
    changeRecord: ChangeRecord | null,
    call: Call,
  ): Promise<ReplaceOutcome<NoRecord>>;
}
