import type { OneTimePurchase } from '../entitlement/entitlement.ts';
import { day, durationBetween } from '../parsing/duration.ts';
import type { Digest } from '../secret.ts';
import { noFeatures } from '../tier/features.ts';

/** The time for which one device may use a product without a license. A device gets only one for each product, ever. */
export interface Trial {
  /** `trial_` and 22 characters, which do not reveal the app's id of the device. */
  readonly id: string;
  readonly productId: string;
  /** The tier that decides what the device may do. Fixed at the start. */
  readonly tierId: string;
  readonly startedAt: Date;
  /** Operators move it. */
  readonly endsAt: Date;
  /** The first license of the product that the device has taken a seat of, and the instant; null before. */
  readonly converted: { readonly at: Date; readonly entitlementId: string } | null;
  /** Counts the writes from 1. */
  readonly revision: number;
}

/**
 * The maximum length of a trial in milliseconds, and the maximum time from now to which an operator may move an end.
 * The key that signed its receipt is published for as long.
 */
export const maxTrial = 90 * day;

/** The id of the trial of a device, by which the same device finds it again. */
export function trialOf(productId: string, deviceId: string, digest: Digest): string {
  return `trial_${digest(`${productId}\n${deviceId}`).slice(0, 22)}`;
}

/** Whether a text has the form of a trial's id. */
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

/** The rule for the length of the trials that a tier offers, in milliseconds. */
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
