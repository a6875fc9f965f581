import type { Stripe } from 'stripe';
import type { OutgoingPart } from '../../../core/billing/outgoing-stream.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { DeliveryEffect } from '../../../core/webhook/stream/delivery-effect.ts';
import { hasEndedAtStripe, type SubscriptionState } from '../reading/subscription-state.ts';
import { isUnseen, knownMarks, markOf } from './cancellation-mark.ts';
import { isPauseLeft } from './decide-access.ts';
import type { PendingChange } from './decision.ts';

/** The state of an entitlement here, and of its changes that were sent to Stripe. */
export interface SentState {
  /** Null if unknown. */
  readonly entitlement: Entitlement | null;
  /** The change on its way to Stripe. */
  readonly pending: PendingChange | null;
  /** The known effect of those changes. Null if nothing is known, and where Stripe has no mark of Latchkey. */
  readonly effect: DeliveryEffect | null;
}

/**
 * Finds the parts in which something of ours is left at Stripe that nobody asks for here any more: a restored backup does not
 * know of it, or Stripe has carried it out after it was undone. Its mark says that it is ours. A part that is on its way is
 * left to its delivery.
 */
export function leftAtStripe({ subscription }: SubscriptionState, ours: SentState): readonly OutgoingPart[] {
  const { entitlement } = ours;
  if (entitlement === null || entitlement.kind === 'one_time' || hasEndedAtStripe(subscription)) return [];
  const left: OutgoingPart[] = [];
  if (!isOnItsWay('collection', ours) && isPauseLeft(entitlement, subscription)) left.push('collection');
  const isMarkLeft = markOf(subscription) !== null && !isCanceled(subscription);
  if (isResumed(ours) && (isMarkLeft || isCanceledLate(subscription, ours))) left.push('cancellation');
  return left;
}

/** Reports whether Stripe has carried out a cancellation of ours after it was resumed here, and nothing on its way undoes it. */
export function isCanceledLate(subscription: SubscriptionState['subscription'], ours: SentState): boolean {
  const isOurs = isUnseen(markOf(subscription), knownMarks(ours.effect));
  return isOurs && isResumed(ours) && isCanceled(subscription) && !hasEndedAtStripe(subscription);
}

function isResumed(ours: SentState): boolean {
  const { entitlement } = ours;
  if (entitlement?.kind !== 'subscription' || entitlement.hold.kind === 'revoked') return false;
  return entitlement.cancellation === null && !isOnItsWay('cancellation', ours);
}

function isOnItsWay(part: OutgoingPart, { pending }: SentState): boolean {
  return pending?.parts.includes(part) === true;
}

/** Reports whether Stripe will end a subscription, or has. */
export function isCanceled(at: Pick<Stripe.Subscription, 'cancel_at' | 'cancel_at_period_end'>): boolean {
  return at.cancel_at_period_end || at.cancel_at !== null;
}
