import { isUnseen, knownMarks, markOf } from '../decision/cancellation-mark.ts';
import { isCanceledLate, type SentState } from '../decision/left-at-stripe.ts';
import type { SubscriptionState } from '../reading/subscription-state.ts';
import type { SeenThere } from './look.ts';

/** Finds an attempt of ours that Stripe has carried out and that was never seen before. Null where it is undone first. */
export function newlySeen({ subscription }: SubscriptionState, ours: SentState): SeenThere | null {
  const isNew = isUnseen(markOf(subscription), ours.pending?.marks ?? knownMarks(ours.effect));
  return isNew && !isCanceledLate(subscription, ours) ? seenThere(subscription) : null;
}

/** Our cancellation at Stripe, or its mark, as it is seen there. */
export function seenThere(subscription: SubscriptionState['subscription']): SeenThere {
  const { canceled_at: at } = subscription;
  return { kind: 'seen', at: at === null ? null : new Date(at * 1000), mark: markOf(subscription) };
}
