import type { License } from '../license/license.ts';
import type { OwnLimit } from '../tier/allowance.ts';
import type { Features } from '../tier/features.ts';

/** The status by payment, which counts unless a hold or the clock decides otherwise. */
export const standings = ['trialing', 'active', 'past_due'] as const;

export type Standing = (typeof standings)[number];

/** Why access is suspended: an operator has said so, or a payment is missing or was taken back. */
export const suspensionCauses = ['operator', 'payment'] as const;

export type SuspensionCause = (typeof suspensionCauses)[number];

export interface Suspension {
  readonly kind: 'suspended';
  /** Absent if the operator is the only cause. */
  readonly causes?: readonly ['payment'] | readonly ['operator', 'payment'];
}

/** A restriction that overrides the standing. */
export type Hold = { readonly kind: 'none' } | Suspension | { readonly kind: 'revoked'; readonly at: Date };

/** The intervals at which a subscription renews. */
export const billingIntervals = ['day', 'week', 'month', 'year'] as const;

export type BillingInterval = (typeof billingIntervals)[number];

/** The maximum number of billing intervals in a period. */
export const maxIntervalCount = 120;

/** The greatest limit of devices, and the maximum number of devices without a limit. */
export const maxDevices = 10_000;

/** The billing interval as callers name and see it: a purchase has `one_time`. */
export const billingTerms = [...billingIntervals, 'one_time'] as const;

export type BillingTerm = (typeof billingTerms)[number];

export const entitlementKinds = ['subscription', 'one_time'] as const;

export interface Cancellation {
  /** When access ends. */
  readonly at: Date;
  /** When the cancellation was requested. */
  readonly requestedAt: Date;
}

interface EntitlementBase {
  readonly id: string;
  readonly productId: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly standing: Standing;
  readonly hold: Hold;
  readonly currentPeriodStart: Date;
  /** The name of the purchase in the caller's own system; unique within the product. Fixed by the grant. Never public. */
  readonly reference: string | null;
  /** Until when the buyer gets updates, for apps to act on. It decides nothing here. */
  readonly updatesUntil: Date | null;
  readonly license: License | null;
  /** The entitlement's own limit of devices (`allowanceOf`). */
  readonly deviceLimit: OwnLimit;
  /** The features that it has of its own; empty for none. */
  readonly features: Features;
  /** The number of devices that have a seat. */
  readonly devicesUsed: number;
  /** The instant up to which apps have used their allowance of releases (`decideRelease`); null before the first. Internal. */
  readonly releasesUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Counts the changes. Public. */
  readonly version: number;
  /** Counts the writes, so that of two writers that saw one state only one succeeds. Internal. */
  readonly revision: number;
  /** The sequence of the last event; 0 before the first. Internal, as the next two members. */
  readonly sequence: number;
  /** The next instant at which the clock changes the status and for which there is no event; null after the last one. */
  readonly nextEventAt: Date | null;
  /** The end of access by the clock that has no `entitlement.ending_soon` yet; null if there is no such end. */
  readonly unannouncedEnd: Date | null;
}

/** Ends by the clock unless it is renewed. */
export interface Subscription extends EntitlementBase {
  readonly kind: 'subscription';
  readonly billingInterval: BillingInterval;
  /** The number of intervals in a period, 1 to `maxIntervalCount`. */
  readonly billingIntervalCount: number;
  readonly currentPeriodEnd: Date;
  /**
   * The day of the month on which the period would end if the month had it, from which later ends are counted. Null if
   * the period ends on its own day. Internal.
   */
  readonly anchorDay: number | null;
  /** The end of the period plus the grace. Renewals are recorded after the payment, minutes to hours after the period. */
  readonly graceUntil: Date;
  readonly cancellation: Cancellation | null;
  /**
   * Until when the buyer keeps access although the billing system has not received the payment: then access is suspended
   * by payment. Null while nothing is owed, and where the billing system says nothing of it.
   */
  readonly unpaidUntil: Date | null;
}

/** Paid once. */
export interface OneTimePurchase extends EntitlementBase {
  readonly kind: 'one_time';
  /** When access ends by the clock; null for never. */
  readonly accessEndsAt: Date | null;
}

export type Entitlement = Subscription | OneTimePurchase;

/** The intervals at which a subscription renews. */
export type Interval = Pick<Subscription, 'billingInterval' | 'billingIntervalCount'>;

/** Milliseconds for which the buyer keeps access after the period. */
export function graceOf({ currentPeriodEnd, graceUntil }: Subscription): number {
  return graceUntil.getTime() - currentPeriodEnd.getTime();
}

/** When the buyer loses access by the clock if nothing is paid, apart from a cancellation. */
export function unpaidEnd({ graceUntil, unpaidUntil }: Subscription): Date {
  return unpaidUntil !== null && unpaidUntil < graceUntil ? unpaidUntil : graceUntil;
}

/** Changes members of an entitlement, and moves its version, its revision and `updatedAt`. */
export function nextVersion<Kind extends Entitlement>(entitlement: Kind, now: Date, change: Partial<Kind>): Kind {
  const { version, revision } = entitlement;
  return { ...entitlement, ...change, version: version + 1, revision: revision + 1, updatedAt: now };
}
