import type { OneTimePurchase } from '../entitlement/entitlement.ts';
import { day, durationBetween } from '../parsing/duration.ts';
import type { Digest } from '../secret.ts';
import { noFeatures } from '../tier/features.ts';

/** The time for which one device may use a product without a license. A device has one of each product, for good. */
export interface Trial {
  /** `trial_` and 22 characters, which do not show what the app calls its device. */
  readonly id: string;
  readonly productId: string;
  /** What the device may do: that of this tier. Fixed by the start. */
  readonly tierId: string;
  readonly startedAt: Date;
  /** Operators move it. */
  readonly endsAt: Date;
  /** The first license of the product that the device has taken a seat of, and when; null before. */
  readonly converted: { readonly at: Date; readonly entitlementId: string } | null;
  /** Counts the writes from 1. */
  readonly revision: number;
}

/**
 * The longest trial, and how far from now an operator may let one end, in milliseconds. The key that signed its receipt is
 * published as long.
 */
export const maxTrial = 90 * day;

/** The id of the trial of a device, by which the same device finds it again. */
export function trialOf(productId: string, deviceId: string, digest: Digest): string {
  return `trial_${digest(`${productId}\n${deviceId}`).slice(0, 22)}`;
}

/** Whether a text is like the id of a trial. */
export function isTrialId(text: string): boolean {
  return /^trial_[\w-]{22}$/.test(text);
}

export function isRunning({ endsAt }: Trial, now: Date): boolean {
  return endsAt > now;
}

/** A trial as the purchase that a receipt shows for it: it has an end, and nobody has paid. */
export function asPurchase({ id, productId, tierId, startedAt, endsAt, revision }: Trial): OneTimePurchase {
  return {
    kind: 'one_time',
    id,
    productId,
    tierId,
    tierName: tierId,
    standing: 'trialing',
    hold: { kind: 'none' },
    currentPeriodStart: startedAt,
    accessEndsAt: endsAt,
    reference: null,
    updatesUntil: null,
    license: null,
    deviceLimit: null,
    features: noFeatures,
    devicesUsed: 1,
    releasesUntil: null,
    createdAt: startedAt,
    updatedAt: startedAt,
    version: revision,
    revision,
    sequence: 0,
    nextEventAt: null,
    unannouncedEnd: null,
  };
}

/** The rule of how long a tier offers a trial, in milliseconds. */
export const trialLengthRule = durationBetween('1h', '90d', '14d');

/** A trial as it is shown. */
export interface ShownTrial extends Trial {
  /** `converted`: the device has taken a seat of a license of the product. */
  readonly status: 'running' | 'ended' | 'converted';
}

export function shownTrial(trial: Trial, now: Date): ShownTrial {
  const status = trial.converted !== null ? 'converted' : isRunning(trial, now) ? 'running' : 'ended';
  return { ...trial, status };
}
