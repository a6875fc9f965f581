import type { LatchkeyError } from './errors.ts';
import type { NoSeat, Verification } from './licenses.ts';
import type { Features } from './models.ts';
import type { ReceiptEntitlement, ReceiptRefusal, ReceiptVerification } from './receipt.ts';

/** The allowance of a license now. One that is not known to be valid allows nothing, whatever its receipt says. */
export interface Allowance {
  /** By name; `{}` for none, and unless the verdict is `valid`. */
  readonly features: Features;
  /** The limit of devices; null without a limit, and unless the verdict is `valid`. */
  readonly deviceLimit: number | null;
}

/** What every check has. */
interface Common extends Allowance {
  /** The trial that the device has; absent for a license. */
  readonly trial?: TrialDays;
  /** When to check again: a day after `valid` online, an hour after anything else, and not after `offlineUntil`. */
  readonly nextCheck: string;
}

/** The rest of a trial. */
export interface TrialDays {
  readonly endsAt: string;
  /** Days to the end, rounded up. */
  readonly daysLeft: number;
}

/** Whether a program may run, and how that is known. */
export type LicenseCheck = Common &
  (
    | {
        readonly verdict: 'valid';
        /** `online`: the service says so. `receipt`: the service gave no verdict, and the stored receipt is valid. */
        readonly source: 'online' | 'receipt';
        readonly reason: null;
        /** With what only receipts say, as far as one is at hand. */
        readonly entitlement: ReceiptEntitlement;
        /** Until when the stored receipt is valid; null if there is no such receipt. */
        readonly offlineUntil: string | null;
      }
    | ({ readonly source: 'online' } & Extract<Verification, { readonly verdict: 'invalid' }>)
    | OverReceipt
    | EndedUpdates
    /** Neither the service nor a receipt gave a verdict. Never lock a buyer out for good because of it. */
    | {
        readonly verdict: 'unavailable';
        readonly reason: null;
        /** Why the stored receipt does not count; `none` if nothing was stored. */
        readonly receipt: ReceiptRefusal | 'none';
        readonly error: LatchkeyError;
        readonly entitlement: null;
      }
  );

/** Whether a program may run on its device, and how that is known. */
export type DeviceCheck = LicenseCheck | (Common & { readonly source: 'online' } & NoSeat);

/** Whether a program without a license key may run on its device, and how that is known. */
export type TrialCheck =
  | Extract<LicenseCheck, { readonly verdict: 'valid' | 'unavailable' }>
  | (Common & {
      readonly verdict: 'invalid';
      readonly source: 'online' | 'receipt';
      readonly reason: 'trial_ended' | 'trial_not_offered' | 'clock_set_back';
      /** Null unless a receipt says it. */
      readonly entitlement: Omit<ReceiptEntitlement, keyof Allowance> | null;
    });

/** The service gave no verdict, and the stored receipt is genuine and over. */
interface OverReceipt {
  readonly verdict: 'invalid';
  readonly source: 'receipt';
  readonly reason: 'clock_set_back' | 'expired';
  readonly entitlement: Omit<ReceiptEntitlement, keyof Allowance>;
}

/** The license is valid, and this build came out after its updates had ended: an earlier one goes on. */
interface EndedUpdates {
  readonly verdict: 'invalid';
  readonly source: 'online' | 'receipt';
  readonly reason: 'updates_ended';
  readonly entitlement: Omit<ReceiptEntitlement, keyof Allowance>;
}

export type ValidCheck = Extract<LicenseCheck, { readonly verdict: 'valid' }>;

/** The check of a license that is valid. */
export function validCheck(
  source: 'online' | 'receipt',
  entitlement: ReceiptEntitlement,
  offlineUntil: string | null,
  now: Date,
): ValidCheck {
  const { features = {}, deviceLimit = null } = entitlement;
  const nextCheck = nextAfter(now, source === 'online' ? day : hour, offlineUntil);
  return { verdict: 'valid', source, reason: null, entitlement, features, deviceLimit, offlineUntil, nextCheck };
}

/** Adds that nothing is allowed to what else is known. */
export function allowingNothing<const Result extends { readonly verdict: 'invalid' | 'unavailable' }>(
  result: Result,
  now: Date,
): Result & Common {
  return { ...result, features: {}, deviceLimit: null, nextCheck: nextAfter(now, hour) };
}

/** The check that a receipt gives which is over: what it allowed is no part of it. */
export function overCheck(
  { verdict, reason, entitlement }: Extract<ReceiptVerification, { readonly reason: 'clock_set_back' | 'expired' }>,
  now: Date,
): LicenseCheck {
  return allowingNothing({ verdict, source: 'receipt', reason, entitlement: withoutAllowance(entitlement) }, now);
}

/** The check of a build that the license does not cover. */
export function endedCheck(source: 'online' | 'receipt', entitlement: ReceiptEntitlement, now: Date): LicenseCheck {
  const shown = withoutAllowance(entitlement);
  return allowingNothing({ verdict: 'invalid', source, reason: 'updates_ended', entitlement: shown }, now);
}

/** What is known of an entitlement that allows nothing. */
export function withoutAllowance(entitlement: ReceiptEntitlement): Omit<ReceiptEntitlement, keyof Allowance> {
  const { features: _, deviceLimit: __, ...others } = entitlement;
  return others;
}

const hour = 3_600_000;
const day = 24 * hour;

/** The latest instant that a `Date` can hold. */
const lastInstant = 8.64e15;

function nextAfter(now: Date, wait: number, offlineUntil: string | null = null): string {
  const end = offlineUntil === null ? lastInstant : Date.parse(offlineUntil);
  return new Date(Math.min(now.getTime() + wait, end)).toISOString();
}
