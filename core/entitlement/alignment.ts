import { changed, refused, unchanged, type EntitlementDecision } from './entitlement-decision.ts';
import {
  graceOf,
  nextVersion,
  type Cancellation,
  type Entitlement,
  type Standing,
  type Subscription,
} from './entitlement.ts';
import type { ChangeReason, HistoryOperation } from './history-entry.ts';
import { anchorDayOf } from './period-end.ts';
import { hasEnded, statusAt } from './status.ts';
import { causesAt, causesOf, withCause } from './suspension.ts';

/** The state that a subscription is to reach, as the billing system that charges the buyer has it now. */
export interface AlignmentTarget {
  /** Null leaves the tier: its price is not mapped to one. */
  readonly tier: { readonly tierId: string; readonly tierName: string } | null;
  /** The limit of devices. Null leaves the limit: the price does not say it. */
  readonly deviceLimit: number | null;
  readonly interval: Pick<Subscription, 'billingInterval' | 'billingIntervalCount'>;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
  readonly standing: Standing;
  /** Whether a payment suspends access. Leaves the operator's suspension as it is. */
  readonly isSuspended: boolean;
  /** Why it does. Absent or null for none that is known. */
  readonly reason?: ChangeReason | null;
  /** Until when access lasts although a payment is missing: it is suspended by payment then. Null while nothing is owed. */
  readonly unpaidUntil: Date | null;
  readonly cancellation: CancellationTarget;
  /** When the subscription ended; null while it goes on. An end counts alone: the other members are not looked at. */
  readonly endedAt: Date | null;
}

export type CancellationTarget =
  | {
      readonly kind: 'at';
      readonly at: Date;
      /** Null for now. Counts only for a new cancellation: one that moves keeps when it was asked for. */
      readonly requestedAt: Date | null;
    }
  | { readonly kind: 'none' }
  /** Leaves the cancellation: a change of it is on its way to the billing system. */
  | { readonly kind: 'keep' };

/**
 * Decides what brings a subscription to a target. An ended one comes back if the target goes on, because a buyer who is
 * charged has access. The grace keeps its length; the operator's suspension, the reference and the license stay.
 * Refused for a purchase, and after a revocation if the target goes on. A second alignment changes nothing.
 */
export function decideAlignment(target: AlignmentTarget, entitlement: Entitlement, now: Date): EntitlementDecision {
  if (entitlement.kind === 'one_time') return refused('not_a_subscription');
  const status = statusAt(entitlement, now);
  if (target.endedAt !== null) {
    return hasEnded(status) ? unchanged : changed(endedNow(target.endedAt, entitlement, now), 'ended');
  }
  if (status === 'revoked') return refused('entitlement_revoked');
  const next = aligned(target, entitlement, now);
  const differences = differencesOf(entitlement, next);
  if (!Object.values(differences).includes(true)) return unchanged;
  const operation = operationOf(entitlement, next, differences, now);
  return changed(next, operation, operation === 'suspended' ? reasonOf(target, now) : null);
}

/** Why a payment suspends access. Null if none does, or nothing is known of it. */
export function reasonOf({ isSuspended, reason = null, unpaidUntil }: AlignmentTarget, now: Date): ChangeReason | null {
  if (isSuspended) return reason;
  return unpaidUntil !== null && unpaidUntil <= now ? 'unpaid' : null;
}

/** An end by a clock that is ahead of the service's is an end now. */
function endedNow(endedAt: Date, subscription: Subscription, now: Date): Subscription {
  const requestedAt = subscription.cancellation?.requestedAt ?? endedAt;
  const cancellation = { at: endedAt < now ? endedAt : now, requestedAt };
  return nextVersion(subscription, now, { cancellation });
}

function aligned(target: AlignmentTarget, subscription: Subscription, now: Date): Subscription {
  const { tier, deviceLimit, interval, standing, currentPeriodStart, currentPeriodEnd, unpaidUntil } = target;
  return nextVersion(subscription, now, {
    ...tier,
    deviceLimit: deviceLimit ?? subscription.deviceLimit,
    ...interval,
    standing,
    currentPeriodStart,
    currentPeriodEnd,
    anchorDay: isSame(currentPeriodEnd, subscription.currentPeriodEnd)
      ? subscription.anchorDay
      : anchorDayOf(currentPeriodStart, currentPeriodEnd, interval),
    unpaidUntil,
    graceUntil: new Date(currentPeriodEnd.getTime() + graceOf(subscription)),
    hold: withCause(subscription.hold, 'payment', target.isSuspended),
    cancellation: alignedCancellation(target.cancellation, subscription.cancellation, now),
  });
}

function alignedCancellation(
  target: CancellationTarget,
  cancellation: Cancellation | null,
  now: Date,
): Cancellation | null {
  switch (target.kind) {
    case 'keep':
      return cancellation;
    case 'none':
      return null;
    case 'at':
      return { at: target.at, requestedAt: cancellation?.requestedAt ?? target.requestedAt ?? now };
  }
}

type Differences = Readonly<
  Record<'causes' | 'tier' | 'devices' | 'period' | 'standing' | 'unpaid' | 'cancellation', boolean>
>;

function differencesOf(seen: Subscription, next: Subscription): Differences {
  return {
    causes: String(causesOf(seen.hold)) !== String(causesOf(next.hold)),
    tier:
      seen.tierId !== next.tierId ||
      seen.tierName !== next.tierName ||
      seen.billingInterval !== next.billingInterval ||
      seen.billingIntervalCount !== next.billingIntervalCount,
    devices: seen.deviceLimit !== next.deviceLimit,
    period:
      !isSame(seen.currentPeriodStart, next.currentPeriodStart) ||
      !isSame(seen.currentPeriodEnd, next.currentPeriodEnd),
    standing: seen.standing !== next.standing,
    unpaid: !isSame(seen.unpaidUntil, next.unpaidUntil),
    cancellation: !isSame(seen.cancellation?.at, next.cancellation?.at),
  };
}

function isSame(a: Date | null | undefined, b: Date | null | undefined): boolean {
  return a?.getTime() === b?.getTime();
}

/** The first operation that fits. `previous` of its event names what else has changed. */
function operationOf(seen: Subscription, next: Subscription, differs: Differences, now: Date): HistoryOperation {
  const before = statusAt(seen, now);
  const after = statusAt(next, now);
  const isStandingPastDue = differs.standing && next.standing === 'past_due' && !hasEnded(after);
  if (hasEnded(after) && !hasEnded(before)) return 'ended';
  if (after === 'suspended' && (before !== after || differs.causes)) return 'suspended';
  if (before === 'suspended' && before !== after) return 'reinstated';
  if (hasEnded(before) && !hasEnded(after)) return 'renewed';
  if (isStandingPastDue || (after === 'past_due' && before !== after)) return 'past_due';
  if (differs.tier) return 'tier_changed';
  if (differs.period || differs.standing) return 'renewed';
  if (differs.cancellation) return next.cancellation === null ? 'cancellation_undone' : 'cancellation_scheduled';
  if (differs.devices && !differs.causes && !differs.unpaid) return 'allowance_changed';
  if (causesAt(next, now).length > 0) return 'suspended';
  if (differs.causes) return 'reinstated';
  return hasEnded(after) ? 'renewed' : 'past_due';
}
