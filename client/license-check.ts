import type { LatchkeyError } from './errors.ts';
import type { Licenses, NoSeat, Verification } from './licenses.ts';
import type { Features } from './models.ts';
import type { ReceiptEntitlement, ReceiptRefusal, ReceiptVerification, VerifyReceiptOptions } from './receipt.ts';
import type { GateDevice } from './receipts/device.ts';
import type { ReceiptStorage } from './receipts/stored-receipt.ts';

export interface LicenseGateOptions extends Pick<VerifyReceiptOptions, 'keys' | 'productId'> {
  /** A `LatchkeyClient`. It needs no app key. */
  readonly client: { readonly licenses: Pick<Licenses, 'verify' | 'receipt'> };
  /** Keeps the receipt of this product from start to start. If it throws or garbles, only offline days are lost. */
  readonly storage: ReceiptStorage;
  /** Milliseconds for each request, and for each call of the storage. Default: 3000. */
  readonly timeout?: number | undefined;
  /** The release of this build. The check is `updates_ended` if the license's updates ended before. Default: never. */
  readonly releasedAt?: Date | undefined;
  /** Returns the current instant. Default: the clock. */
  readonly now?: (() => Date) | undefined;
}

/** The options of a gate that takes a seat for its device. */
export interface DeviceGateOptions extends Omit<LicenseGateOptions, 'client'> {
  /** A `LatchkeyClient`. It needs no app key. */
  readonly client: { readonly licenses: Pick<Licenses, 'activate' | 'deactivate' | 'verify'> };
  readonly device: GateDevice;
}

/** The options of a gate that offers a trial on its device while there is no license key. */
export interface TrialGateOptions extends Omit<DeviceGateOptions, 'client'> {
  /** A `LatchkeyClient`. It needs no app key. */
  readonly client: { readonly licenses: Pick<Licenses, 'activate' | 'deactivate' | 'trial' | 'verify'> };
  readonly trial: true;
}

/** Decides whether a program may run, also while the service is down. */
export interface LicenseGate {
  /**
   * Asks the service once, and uses the stored receipt if the service gives no verdict. Keeps a receipt for the next
   * time. Never throws because of the network or the storage.
   */
  check(licenseKey: string): Promise<LicenseCheck>;
  /** Verifies a receipt, and stores it if it is a valid offline receipt. */
  accept(receipt: string): Promise<ReceiptVerification>;
}

/** A gate that takes a seat for its device. */
export interface DeviceGate extends Omit<LicenseGate, 'check'> {
  /**
   * Asks for a seat, and uses the stored receipt if the service gives no verdict. `replace` names the device, as the
   * list shows it, that makes room if no seat is free. Never throws because of the network or the storage.
   */
  check(licenseKey: string, options?: { readonly replace?: string | undefined }): Promise<DeviceCheck>;
  /** Releases the seat and drops the receipt. Throws a `LatchkeyError` if the seat could not be released. */
  release(licenseKey: string): Promise<void>;
}

/** A gate that offers a trial on its device while there is no license key. */
export interface TrialGate extends Omit<DeviceGate, 'check'> {
  /**
   * With a key, it works as a gate without a trial, and never falls back to one. Null starts the trial of the device,
   * or continues it: it asks the service once, and uses the stored receipt of the trial if the service gives no
   * verdict.
   */
  check(
    licenseKey: string | null,
    options?: { readonly replace?: string | undefined },
  ): Promise<DeviceCheck | TrialCheck>;
}

/** The options of any gate. */
export type GateOptions =
  | TrialGateOptions
  | (DeviceGateOptions & { readonly trial?: undefined })
  | (LicenseGateOptions & { readonly device?: undefined; readonly trial?: undefined });

export function isOfDevice(options: GateOptions): options is Exclude<GateOptions, { readonly device?: undefined }> {
  return options.device !== undefined;
}

export function isOfTrials(options: GateOptions): options is TrialGateOptions {
  return options.trial === true;
}

/** The allowance of a license now. One that is not known to be valid allows nothing, whatever its receipt says. */
export interface Allowance {
  /** By name; `{}` for none, and unless the verdict is `valid`. */
  readonly features: Features;
  /** The limit of devices; null without a limit, and unless the verdict is `valid`. */
  readonly deviceLimit: number | null;
}

/** The members of every check. */
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
        /** With the members that only receipts have, as far as one is at hand. */
        readonly entitlement: ReceiptEntitlement;
        /** Until when the stored receipt is valid; null if there is no such receipt. */
        readonly offlineUntil: string | null;
      }
    | ({ readonly source: 'online' } & Extract<Verification, { readonly verdict: 'invalid' }>)
    | OverReceipt
    | EndedUpdates
    /** Neither the service nor a receipt gave a verdict. Never lock a buyer out permanently because of it. */
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

/** The service gave no verdict, and the stored receipt is genuine, but over. */
interface OverReceipt {
  readonly verdict: 'invalid';
  readonly source: 'receipt';
  readonly reason: 'clock_set_back' | 'expired';
  readonly entitlement: Omit<ReceiptEntitlement, keyof Allowance>;
}

/** The license is valid, but its updates had ended before this build was released: an earlier build still works. */
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

/** Adds an empty allowance to a result. */
export function allowingNothing<const Result extends { readonly verdict: 'invalid' | 'unavailable' }>(
  result: Result,
  now: Date,
): Result & Common {
  return { ...result, features: {}, deviceLimit: null, nextCheck: nextAfter(now, hour) };
}

/** The check by a receipt that is over. It does not contain the allowance. */
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

/** The facts of an entitlement that allows nothing. */
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
