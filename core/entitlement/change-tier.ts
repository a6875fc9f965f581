import { scheduledEnd } from './cancellation.ts';
import { changed, refused, unchanged, type EntitlementDecision } from './entitlement-decision.ts';
import {
  graceOf,
  nextVersion,
  type BillingInterval,
  type Entitlement,
  type Interval,
  type OneTimePurchase,
  type Subscription,
} from './entitlement.ts';
import { hasEnded, statusAt } from './status.ts';

/**
 * A change to another tier. A member that is null keeps its value, but a new interval without a count counts once. A
 * purchase has no interval and no grace, and `currentPeriodEnd` is when its access ends.
 */
export interface TierChange {
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: BillingInterval | null;
  readonly billingIntervalCount: number | null;
  readonly currentPeriodEnd: Date | null;
  /** Milliseconds of access after the period. */
  readonly grace: number | null;
  /** Absent to keep it. */
  readonly updatesUntil?: Date | null;
}

/**
 * Decides a change of tier. The standing, the hold and the license stay. A scheduled cancellation stays too, and moves
 * with the end of the period. Refused after the end, for an end that would be now or before, and for a purchase with an
 * interval or a grace.
 */
export function decideTierChange(change: TierChange, entitlement: Entitlement, now: Date): EntitlementDecision {
  if (hasEnded(statusAt(entitlement, now))) return refused('entitlement_ended');
  return entitlement.kind === 'one_time'
    ? decideForPurchase(change, entitlement, now)
    : decideForSubscription(change, entitlement, now);
}

function decideForPurchase(change: TierChange, purchase: OneTimePurchase, now: Date): EntitlementDecision {
  const { tierId, tierName, billingInterval, billingIntervalCount, currentPeriodEnd, grace } = change;
  if (billingInterval !== null || billingIntervalCount !== null || grace !== null) return refused('not_a_subscription');
  const accessEndsAt = currentPeriodEnd ?? purchase.accessEndsAt;
  const isNewEnd = accessEndsAt?.getTime() !== purchase.accessEndsAt?.getTime();
  if (isNewEnd && accessEndsAt !== null && accessEndsAt <= later(now, purchase.currentPeriodStart)) {
    return refused('period_end_too_early');
  }
  const updatesUntil = change.updatesUntil ?? purchase.updatesUntil;
  const keepsUpdates = updatesUntil?.getTime() === purchase.updatesUntil?.getTime();
  const keepsTier = tierId === purchase.tierId && tierName === purchase.tierName;
  if (keepsTier && keepsUpdates && !isNewEnd) return unchanged;
  return changed(nextVersion(purchase, now, { tierId, tierName, accessEndsAt, updatesUntil }), 'tier_changed');
}

function decideForSubscription(change: TierChange, subscription: Subscription, now: Date): EntitlementDecision {
  const { tierId, tierName } = change;
  const interval = intervalAfter(change, subscription);
  const currentPeriodEnd = change.currentPeriodEnd ?? subscription.currentPeriodEnd;
  const graceUntil = new Date(currentPeriodEnd.getTime() + (change.grace ?? graceOf(subscription)));
  const updatesUntil = change.updatesUntil ?? subscription.updatesUntil;
  const keepsUpdates = updatesUntil?.getTime() === subscription.updatesUntil?.getTime();
  const keepsPeriod =
    isSame(currentPeriodEnd, subscription.currentPeriodEnd) && isSame(graceUntil, subscription.graceUntil);
  if (keepsPeriod) {
    const keepsTier = tierId === subscription.tierId && tierName === subscription.tierName;
    if (keepsTier && keepsUpdates && isSameInterval(interval, subscription)) return unchanged;
    return changed(nextVersion(subscription, now, { tierId, tierName, ...interval, updatesUntil }), 'tier_changed');
  }
  const isNewEnd = !isSame(currentPeriodEnd, subscription.currentPeriodEnd);
  const start = isNewEnd ? later(now, subscription.currentPeriodStart) : now;
  if ((isNewEnd ? currentPeriodEnd : graceUntil) <= start) return refused('period_end_too_early');
  const { cancellation } = subscription;
  const moved =
    cancellation === null ? null : { ...cancellation, at: scheduledEnd({ currentPeriodEnd, graceUntil }, now) };
  const period = { currentPeriodEnd, anchorDay: isNewEnd ? null : subscription.anchorDay, graceUntil };
  const next = { tierId, tierName, ...interval, ...period, cancellation: moved, updatesUntil };
  return changed(nextVersion(subscription, now, next), 'tier_changed');
}

/** The present count belongs to the present interval: three months become one year, not three. */
function intervalAfter({ billingInterval, billingIntervalCount }: TierChange, present: Subscription): Interval {
  return billingInterval === null
    ? {
        billingInterval: present.billingInterval,
        billingIntervalCount: billingIntervalCount ?? present.billingIntervalCount,
      }
    : { billingInterval, billingIntervalCount: billingIntervalCount ?? 1 };
}

function isSameInterval(a: Interval, b: Interval): boolean {
  return a.billingInterval === b.billingInterval && a.billingIntervalCount === b.billingIntervalCount;
}

function isSame(a: Date, b: Date): boolean {
  return a.getTime() === b.getTime();
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}
