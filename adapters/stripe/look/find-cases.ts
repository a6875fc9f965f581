import { betweenPrices } from '../../../core/billing/mapped-sales.ts';
import { partOfChange } from '../../../core/billing/outgoing-stream.ts';
import { isOfMail, type CaseKind, type NextCharge, type StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { decideCollection, isToEnd } from '../decision/decide-access.ts';
import { isCanceled } from '../decision/left-at-stripe.ts';
import { hasEndedAtStripe, type SubscriptionState } from '../reading/subscription-state.ts';
import type { Step } from './step.ts';

/** Since now, unless it says another instant. */
type Found = Omit<StripeCase, 'id' | 'since'> & Partial<Pick<StripeCase, 'since'>>;

/** The facts that are known beside a step. */
export interface KnownMore {
  /** The code with which the grant was refused that the step had decided on; null if it was not. */
  readonly refusedGrant?: string | null;
  /** Whether a comparison has found a difference that has no other kind. */
  readonly differs?: boolean;
}

/** Finds the cases for a person, by the data of both sides that one step has read. */
export function casesIn(step: Step, { refusedGrant = null, differs = false }: KnownMore = {}): readonly Found[] {
  const { decision, pending, prices, state } = step;
  const found = new Map<CaseKind, Partial<Found>>();
  const charge = chargeIn(state);
  if (decision.kind === 'nothing' && decision.reason === 'unmapped_price') {
    found.set('unmapped_price', { detail: prices.join(betweenPrices) });
  }
  if (step.forPerson.length > 0) {
    found.set('several_products', { detail: step.forPerson.map(({ price }) => price).join(betweenPrices) });
  }
  if (refusedGrant !== null) found.set('grant_refused', { detail: refusedGrant });
  if (decision.kind === 'refused') {
    const detail = decision.reason === 'other_product' ? (step.sold.mapping?.price ?? null) : null;
    found.set(decision.reason, { detail, charge });
  }
  if (step.isChargedWhileSuspended) found.set('suspended_here', { charge });
  if (isPausedHere(step)) found.set('paused_here', {});
  if (differs) found.set('differs', {});
  if (pending !== null && pending.parked !== null) found.set('not_sent', { ...pending.parked, charge });
  return [...found].map(([kind, facts]) => ({ kind, detail: null, change: null, charge: null, ...facts }));
}

/** Reports whether Stripe collects nothing because of a pause of ours that is left there. */
export function isPausedHere({ left, state }: Pick<Step, 'left' | 'state'>): boolean {
  return left.includes('collection') && (state?.subscription.pause_collection ?? null) !== null;
}

/** Reports whether a cancellation by Latchkey is left at Stripe, and will end a subscription that goes on here. */
export function isCanceledHere({ left, state }: Pick<Step, 'left' | 'state'>): boolean {
  return left.includes('cancellation') && state !== null && isCanceled(state.subscription);
}

function chargeIn(state: SubscriptionState | null): NextCharge | null {
  if (state?.next.kind !== 'charge') return null;
  const { at, amount, currency } = state.next;
  return { at, amount, currency };
}

/** Reports whether a step that does not find a case again has settled it. */
export function isSettled({ kind, change }: Pick<StripeCase, 'kind' | 'change'>, step: Step): boolean {
  if (isOfMail(kind)) return false;
  if (kind === 'grant_refused') return step.decision.kind !== 'grant';
  if (kind !== 'refused_by_stripe' || change === null) return true;
  const { entitlement, state } = step;
  // Stripe may have refused it because it does not know the subscription.
  if (entitlement === null || state === null) return false;
  return isDone(change, entitlement, state);
}

/** Reports whether Stripe has the state of the refused change, or nobody asks for it any more. */
function isDone(
  change: NonNullable<StripeCase['change']>,
  entitlement: Entitlement,
  { subscription }: SubscriptionState,
): boolean {
  if (hasEndedAtStripe(subscription)) return true;
  switch (partOfChange[change]) {
    case 'end':
      return !isToEnd(entitlement, subscription);
    case 'collection':
      return decideCollection(entitlement, subscription) === null;
    case 'cancellation':
      // The look has undone here what was refused, so that only Stripe says whether it was done there.
      return isCanceled(subscription) === (change === 'cancellation');
  }
}
