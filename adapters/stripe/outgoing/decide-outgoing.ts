import type { Stripe } from 'stripe';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { cancellationMark, markOf } from '../decision/cancellation-mark.ts';
import { isCanceled } from '../decision/left-at-stripe.ts';
import { isAfterResumption, type Resumption } from '../decision/resumption.ts';
import { hasEndedAtStripe } from '../reading/subscription-state.ts';

/** The facts of a subscription at Stripe that decide on its cancellation. */
export type CancellationFacts = Pick<
  Stripe.Subscription,
  'status' | 'cancel_at' | 'cancel_at_period_end' | 'canceled_at' | 'metadata'
> & { readonly items: { readonly data: readonly Pick<Stripe.SubscriptionItem, 'current_period_end'>[] } };

/** An update so that Stripe agrees. Stripe refuses both members of a cancellation together. */
export type Update = ({ readonly cancel_at_period_end?: boolean } | { readonly cancel_at: '' }) & {
  readonly metadata: { readonly [cancellationMark]: string };
};

export type OutgoingDecision =
  /** Stripe is to cancel with the current period, with a mark that names the attempt. */
  | { readonly kind: 'cancel' }
  /** A cancellation, or only its mark, is to be removed. */
  | { readonly kind: 'undo'; readonly update: Update }
  /** Both say the same, or the subscription has ended. */
  | { readonly kind: 'agreed' }
  /** The buyer has canceled at Stripe after the resumption here. */
  | { readonly kind: 'dropped' };

/** Decides the change to be sent, by the current state. `resumption` is null where nothing is to be undone. */
export function decideOutgoing(
  entitlement: Entitlement,
  at: CancellationFacts,
  resumption: Resumption | null,
): OutgoingDecision {
  if (entitlement.kind === 'one_time' || hasEndedAtStripe(at)) return { kind: 'agreed' };
  const { cancellation } = entitlement;
  if (cancellation !== null) {
    // A cancellation beyond the period is one that a look has taken over from Stripe.
    const isSame = at.cancel_at !== null && at.cancel_at * 1000 === cancellation.at.getTime();
    return isSame || endsWithPeriod(at) ? { kind: 'agreed' } : { kind: 'cancel' };
  }
  if (resumption === null) return { kind: 'agreed' };
  const mark = markOf(at);
  if (!isCanceled(at)) return mark === null ? { kind: 'agreed' } : { kind: 'undo', update: forget };
  if (isAfterResumption({ canceledAt: at.canceled_at, mark }, resumption)) return { kind: 'dropped' };
  const undone = at.cancel_at_period_end ? { cancel_at_period_end: false } : ({ cancel_at: '' } as const);
  return { kind: 'undo', update: { ...undone, ...forget } };
}

/** The update that removes the mark: a later cancellation at Stripe is not ours. */
const forget = { metadata: { [cancellationMark]: '' } } as const;

/** Whether nothing is charged after the current period. */
function endsWithPeriod({ cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd, items }: CancellationFacts): boolean {
  if (atPeriodEnd) return true;
  const ends = items.data.map((item) => item.current_period_end);
  return cancelAt !== null && ends.length > 0 && cancelAt <= Math.min(...ends);
}
