import type { OutgoingPart } from '../../../core/billing/outgoing-stream.ts';
import type { ParkedChange } from '../../../core/billing/parked-changes.ts';
import type { AlignmentTarget } from '../../../core/entitlement/alignment.ts';
import type { EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { Grant } from '../../../core/entitlement/grant.ts';
import type { Resumption } from './resumption.ts';

/** The decision about the states of both sides. */
export type Decision =
  /** The entitlement is unknown, and stays so. */
  | { readonly kind: 'nothing'; readonly reason: NothingReason }
  | { readonly kind: 'grant'; readonly grant: Grant }
  | { readonly kind: 'align'; readonly target: AlignmentTarget }
  | { readonly kind: 'command'; readonly command: EntitlementCommand }
  /** Nothing is to be written. */
  | { readonly kind: 'agreed' }
  | { readonly kind: 'refused'; readonly reason: LookRefusal };

/** Why nothing was granted. The entitlement is unknown here. */
export type NothingReason =
  /** Stripe does not know the id, or does not show it to this key; or the id is of neither kind. */
  | 'unknown'
  /** The session sells nothing that Latchkey grants: it only collects a payment method. */
  | 'nothing_sold'
  /** The session or the first invoice is not paid. */
  | 'not_paid'
  /** No payment of the session or of the first invoice can arrive any more. */
  | 'failed'
  /** The subscription or purchase gives no access at Stripe any more. */
  | 'no_access'
  /** No price is mapped. */
  | 'unmapped_price';

export type LookRefusal =
  /** The entitlement is revoked here, and the buyer is charged at Stripe. */
  | 'revoked_here'
  /** The price is mapped to another product than the entitlement's. */
  | 'other_product'
  /** The entitlement with the id of the subscription is a purchase, or the other way round. */
  | 'other_kind'
  /** A refund that failed had revoked the purchase, and a revocation is final. */
  | 'refund_failed'
  /** The grant was refused: another entitlement of the product has the session as its reference, or the key. */
  | 'grant_refused';

/** A change that was made here and has not reached Stripe. Looks leave the cancellation alone meanwhile. */
export interface PendingChange extends Resumption {
  /** `cancel` also for a resumption whose event is not in the log yet. `hold` if neither is on its way. */
  readonly kind: 'cancel' | 'resume' | 'hold';
  readonly parts: readonly OutgoingPart[];
  /** The last event of a cancellation or a resumption. Null if none is in the log yet. */
  readonly eventId: string | null;
  /** Null unless all attempts have failed. */
  readonly parked: ParkedChange | null;
}
