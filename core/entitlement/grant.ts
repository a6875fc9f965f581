import type { License } from '../license/license.ts';
import type { CommandRefusal } from '../refusal.ts';
import { noFeatures } from '../tier/features.ts';
import type { BillingInterval, Cancellation, Entitlement, Hold, Standing } from './entitlement.ts';
import type { ChangeReason } from './history-entry.ts';
import { anchorDayOf, periodEndAfter, type AddInterval, type PeriodEnd } from './period-end.ts';
import { heldBy, withCause } from './suspension.ts';

interface GrantBase {
  /** The limit of devices; null or absent without a limit. */
  readonly deviceLimit?: number | null;
  readonly productId: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly standing: Standing;
  /** Null for the instant of the grant. */
  readonly currentPeriodStart: Date | null;
  readonly reference: string | null;
  /** Absent for none. */
  readonly updatesUntil?: Date | null;
  /** Whether a payment suspends access from the start. Absent if not. */
  readonly isSuspended?: boolean;
  /** Why it does. */
  readonly reason?: ChangeReason | null;
}

interface SubscriptionGrant extends GrantBase {
  readonly kind: 'subscription';
  readonly billingInterval: BillingInterval;
  readonly billingIntervalCount: number;
  /** Null for the interval, as often as it counts, after the start. */
  readonly currentPeriodEnd: Date | null;
  /** Milliseconds for which the buyer keeps access after the period. */
  readonly grace: number;
  /** Scheduled with the grant. Absent for none. */
  readonly cancellation?: Cancellation | null;
  /** Until when access lasts although a payment is missing. Absent for none. */
  readonly unpaidUntil?: Date | null;
}

interface OneTimeGrant extends GrantBase {
  readonly kind: 'one_time';
  /** When access ends. Absent for never. */
  readonly accessEndsAt?: Date | null;
}

/** The terms on which a buyer gets an entitlement. */
export type Grant = SubscriptionGrant | OneTimeGrant;

/** A restriction with which an entitlement begins. */
export type FirstHold = Exclude<Hold['kind'], 'none'>;

/** The parts of a new entitlement beside its terms. */
export interface MadeForGrant {
  readonly id: string;
  readonly license: License | null;
  /** Left out for none. */
  readonly hold?: FirstHold | undefined;
}

export type GrantDecision =
  | { readonly kind: 'granted'; readonly entitlement: Entitlement }
  | { readonly kind: 'refused'; readonly code: Extract<CommandRefusal, 'period_end_too_early'> };

/** Decides which entitlement a grant makes at one instant. */
export function decideGrant(
  grant: Grant,
  { id, license, hold }: MadeForGrant,
  now: Date,
  addInterval: AddInterval,
): GrantDecision {
  const { productId, tierId, tierName, standing, reference, updatesUntil = null } = grant;
  const currentPeriodStart = grant.currentPeriodStart ?? now;
  const terms = { id, license, productId, tierId, tierName, standing, currentPeriodStart, reference, updatesUntil };
  const allowance = { deviceLimit: grant.deviceLimit ?? null, features: noFeatures };
  const seats = { ...allowance, devicesUsed: 0, releasesUntil: null };
  const counts = { version: 1, revision: 1, sequence: 0, nextEventAt: null, unannouncedEnd: null, ...seats };
  const first = { hold: firstHold(hold, grant, now), createdAt: now, updatedAt: now, ...counts } as const;
  if (grant.kind === 'one_time') {
    const { accessEndsAt = null } = grant;
    if (accessEndsAt !== null && accessEndsAt <= currentPeriodStart) {
      return { kind: 'refused', code: 'period_end_too_early' };
    }
    return { kind: 'granted', entitlement: { kind: 'one_time', ...terms, accessEndsAt, ...first } };
  }

  const { billingInterval, billingIntervalCount } = grant;
  const { currentPeriodEnd, anchorDay } = firstEnd(grant, currentPeriodStart, addInterval);
  if (currentPeriodEnd <= currentPeriodStart) return { kind: 'refused', code: 'period_end_too_early' };
  const graceUntil = new Date(currentPeriodEnd.getTime() + grant.grace);
  const { cancellation = null, unpaidUntil = null } = grant;
  const ends = { currentPeriodEnd, anchorDay, graceUntil, cancellation, unpaidUntil };
  const period = { billingInterval, billingIntervalCount, ...ends };
  return { kind: 'granted', entitlement: { kind: 'subscription', ...terms, ...period, ...first } };
}

function firstEnd(grant: SubscriptionGrant, start: Date, addInterval: AddInterval): PeriodEnd {
  const { currentPeriodEnd } = grant;
  if (currentPeriodEnd === null) return periodEndAfter(start, null, grant, addInterval);
  return { currentPeriodEnd, anchorDay: anchorDayOf(start, currentPeriodEnd, grant) };
}

function firstHold(kind: FirstHold | undefined, { isSuspended }: Grant, now: Date): Hold {
  if (kind === 'revoked') return { kind, at: now };
  const byPayment = heldBy(isSuspended === true ? ['payment'] : []);
  return kind === 'suspended' ? withCause(byPayment, 'operator', true) : byPayment;
}
