import { scheduledEnd } from './cancellation.ts';
import { changed, refused, unchanged, type EntitlementDecision } from './entitlement-decision.ts';
import {
  graceOf,
  nextVersion,
  type BillingInterval,
  type Entitlement,
  type OneTimePurchase,
  type Subscription,
} from './entitlement.ts';
import { hasEnded, statusAt } from './status.ts';

/** A change to another tier. A member that is null keeps its value. A purchase has nothing but a tier. */
export interface TierChange {
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: BillingInterval | null;
  readonly currentPeriodEnd: Date | null;
  /** Milliseconds of access after the period. */
  readonly grace: number | null;
}

/**
 * Decides a change of tier. The standing, the hold and the license stay. A scheduled cancellation stays too, and moves
 * with the end of the period. Refused after the end, for a period that would end now or before, and for a purchase with
 * anything but a tier.
 */
export function decideTierChange(change: TierChange, entitlement: Entitlement, now: Date): EntitlementDecision {
  if (hasEnded(statusAt(entitlement, now))) return refused('entitlement_ended');
  return entitlement.kind === 'one_time'
    ? decideForPurchase(change, entitlement, now)
    : decideForSubscription(change, entitlement, now);
}

function decideForPurchase(change: TierChange, purchase: OneTimePurchase, now: Date): EntitlementDecision {
  const { tierId, tierName, billingInterval, currentPeriodEnd, grace } = change;
  if (billingInterval !== null || currentPeriodEnd !== null || grace !== null) return refused('not_a_subscription');
  if (tierId === purchase.tierId && tierName === purchase.tierName) return unchanged;
  return changed(nextVersion(purchase, now, { tierId, tierName }), 'tier_changed');
}

function decideForSubscription(change: TierChange, subscription: Subscription, now: Date): EntitlementDecision {
  const { tierId, tierName } = change;
  const billingInterval = change.billingInterval ?? subscription.billingInterval;
  const currentPeriodEnd = change.currentPeriodEnd ?? subscription.currentPeriodEnd;
  const graceUntil = new Date(currentPeriodEnd.getTime() + (change.grace ?? graceOf(subscription)));
  const terms = { tierId, tierName, billingInterval, currentPeriodEnd, graceUntil };
  const keepsPeriod =
    isSame(currentPeriodEnd, subscription.currentPeriodEnd) && isSame(graceUntil, subscription.graceUntil);
  if (keepsPeriod) {
    const keepsTier = tierId === subscription.tierId && tierName === subscription.tierName;
    if (keepsTier && billingInterval === subscription.billingInterval) return unchanged;
    return changed(nextVersion(subscription, now, { tierId, tierName, billingInterval }), 'tier_changed');
  }
  const isNewEnd = !isSame(currentPeriodEnd, subscription.currentPeriodEnd);
  const start = isNewEnd ? later(now, subscription.currentPeriodStart) : now;
  if ((isNewEnd ? currentPeriodEnd : graceUntil) <= start) return refused('period_end_too_early');
  const { cancellation } = subscription;
  const moved =
    cancellation === null ? null : { ...cancellation, at: scheduledEnd({ currentPeriodEnd, graceUntil }, now) };
  return changed(nextVersion(subscription, now, { ...terms, cancellation: moved }), 'tier_changed');
}

function isSame(a: Date, b: Date): boolean {
  return a.getTime() === b.getTime();
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}
