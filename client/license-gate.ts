import { LatchkeyError } from './errors.ts';
import {
  allowingNothing,
  endedCheck,
  isOfDevice,
  isOfTrials,
  overCheck,
  validCheck,
  type DeviceCheck,
  type DeviceGate,
  type DeviceGateOptions,
  type GateOptions,
  type LicenseCheck,
  type LicenseGate,
  type LicenseGateOptions,
  type TrialCheck,
  type TrialGate,
  type TrialGateOptions,
} from './license-check.ts';
import { askForSeat, type SeatAnswer, type Verification } from './licenses.ts';
import type { LicensedEntitlement } from './models.ts';
import { trustedKeys, verifyReceipt, type ReceiptEntitlement, type ReceiptVerification } from './receipt.ts';
import { checkDevice } from './receipts/device.ts';
import { unfolded } from './receipts/jws.ts';
import { checkReleasedAt, isReleasedAfter } from './receipts/releases.ts';
import { checkStorage, loadReceipt, saveReceipt, type StoredReceipt } from './receipts/stored-receipt.ts';
import { limitsOf } from './request.ts';
import { isOfTrial, tryOut } from './trial-check.ts';

/** Makes the gate of a product. Throws `TypeError` or `RangeError` for options that cannot be used. */
export function licenseGate(options: TrialGateOptions): TrialGate;
export function licenseGate(options: DeviceGateOptions): DeviceGate;
export function licenseGate(options: LicenseGateOptions): LicenseGate;
export function licenseGate(options: GateOptions): TrialGate | DeviceGate | LicenseGate {
  const { timeout = 3000 } = options;
  trustedKeys(options);
  checkStorage(options.storage);
  checkReleasedAt(options.releasedAt);
  if (isOfDevice(options)) checkDevice(options.device);
  else if (options.trial !== undefined) throw new TypeError('trial needs a device');
  limitsOf({ timeout }, { timeout, retries: 0 });
  return new Gate(options, timeout);
}

type ValidAnswer = Extract<Verification | SeatAnswer, { readonly verdict: 'valid' }>;

type Invalid = Extract<SeatAnswer, { readonly verdict: 'invalid' }>;

/** The facts from which a verdict is reached. */
interface Moment {
  readonly licenseKey: string;
  readonly stored: StoredReceipt;
  readonly now: Date;
}

class Gate implements TrialGate {
  readonly #options: GateOptions;
  readonly #timeout: number;
  /** Settles when the last check has saved its receipt: the storage is read and written by one check at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: GateOptions, timeout: number) {
    this.#options = options;
    this.#timeout = timeout;
  }

  async check(licenseKey: string, options?: { readonly replace?: string | undefined }): Promise<DeviceCheck>;
  async check(
    licenseKey: string | null,
    options?: { readonly replace?: string | undefined },
  ): Promise<DeviceCheck | TrialCheck>;
  async check(
    given: string | null,
    { replace }: { readonly replace?: string | undefined } = {},
  ): Promise<DeviceCheck | TrialCheck> {
    if (given === null && isOfTrials(this.#options)) return this.#tryOut(this.#options);
    const licenseKey = given as string;
    const answer = await this.#ask(licenseKey, replace);
    return this.#inTurn<DeviceCheck>((stored, now) => {
      const moment = { licenseKey, stored, now };
      switch (answer.verdict) {
        case 'valid':
          return this.#valid(moment, answer);
        case 'invalid':
          return this.#invalid(moment, answer);
        case 'unavailable':
          return this.#unavailable(moment, answer.error);
      }
    });
  }

  async #tryOut({ client, device, keys, productId }: TrialGateOptions): Promise<TrialCheck> {
    const { timeout, retries } = this.#call();
    const asked = await client.licenses.trial(productId, { timeout, retries, deviceId: device.id }).catch(errorOf);
    return this.#inTurn(async (stored, now) => {
      const { check, keep } = await tryOut(asked, stored, { keys, productId, deviceId: device.id, now });
      if (keep !== null) await this.#save(keep);
      return check;
    });
  }

  async release(licenseKey: string): Promise<void> {
    if (!isOfDevice(this.#options)) throw new TypeError('the gate has no device to release');
    const { client, device } = this.#options;
    await client.licenses.deactivate(licenseKey, { ...this.#call(), deviceId: device.id });
    await this.#inTurn((stored, now) => this.#drop({ licenseKey, stored, now }));
  }

  accept(receipt: string): Promise<ReceiptVerification> {
    return this.#inTurn(async (stored, now) => {
      const { keys, productId, device } = this.#options;
      const lastSeen = stored.lastSeen ?? undefined;
      const result = await verifyReceipt(receipt, { keys, productId, deviceId: device?.id, now, lastSeen });
      if (result.verdict === 'valid' && result.mode === 'offline')
        await this.#save({ receipt: unfolded(receipt), lastSeen: latest(now, stored.lastSeen) });
      return result;
    });
  }

  /** The service says `valid`, so that an instant seen before no longer counts: a clock that was wrong does no harm. */
  async #valid({ licenseKey, stored, now }: Moment, answer: ValidAnswer): Promise<LicenseCheck> {
    const judged = await this.#judge(stored.receipt, licenseKey, now);
    // A receipt that does not cover this build may be one from before a renewal.
    const isEnough = isFresh(judged, answer, now) && !this.#isTooNew(judged?.entitlement ?? {});
    const fetched = isEnough ? null : await this.#newReceipt(licenseKey, answer);
    const another = await this.#judge(fetched, licenseKey, now);
    const isNext = isOfThisLicense(another) && !isOffline(judged);
    const [receipt, held] = isNext ? [fetched, another] : [stored.receipt, judged];
    await this.#save({ receipt, lastSeen: now });
    const shown = [another, held].find((each) => each?.verdict === 'valid')?.entitlement ?? {};
    const allowed = { ...endsOf(shown), ...allowedBy('receipt' in answer ? answer : shown) };
    const entitlement = { ...answer.entitlement, ...allowed };
    if (this.#isTooNew(entitlement)) return endedCheck('online', entitlement, now);
    return validCheck('online', entitlement, held?.verdict === 'valid' ? held.expiresAt : null, now);
  }

  #isTooNew(entitlement: Ends): boolean {
    return isReleasedAfter(entitlement, this.#options.releasedAt);
  }

  /** The service says `invalid`: no receipt may say otherwise later. A typing error says nothing about the license. */
  async #invalid(moment: Moment, answer: Invalid): Promise<DeviceCheck> {
    if (answer.reason !== 'malformed') await this.#drop(moment);
    return allowingNothing({ source: 'online', ...answer }, moment.now);
  }

  /** Drops the stored receipt, unless it is one of another license. */
  async #drop({ licenseKey, stored, now }: Moment): Promise<void> {
    const judged = await this.#judge(stored.receipt, licenseKey, now);
    const isOfAnother = judged?.verdict === 'invalid' && /^wrong_(?:issuer|product|key)$/.test(judged.reason);
    if (judged !== null && !isOfAnother) await this.#save({ ...stored, receipt: null });
  }

  async #unavailable({ licenseKey, stored, now }: Moment, error: LatchkeyError): Promise<LicenseCheck> {
    const judged = await this.#judge(stored.receipt, licenseKey, now, stored.lastSeen);
    if (!isOfThisLicense(judged)) {
      const receipt = judged?.reason ?? 'none';
      return allowingNothing({ verdict: 'unavailable', reason: null, receipt, error, entitlement: null }, now);
    }
    await this.#save({ ...stored, lastSeen: latest(now, stored.lastSeen) });
    if (judged.verdict === 'invalid') return overCheck(judged, now);
    const { entitlement, expiresAt } = judged;
    if (this.#isTooNew(entitlement)) return endedCheck('receipt', entitlement, now);
    return validCheck('receipt', entitlement, expiresAt, now);
  }

  async #judge(
    receipt: string | null,
    licenseKey: string,
    now: Date,
    lastSeen: Date | null = null,
  ): Promise<ReceiptVerification | null> {
    // A check with a key ignores the receipt of a trial. It stays until a license has one.
    if (receipt === null || isOfTrial(receipt)) return null;
    const { keys, productId, device } = this.#options;
    // A program without types may have no key at all, which must not mean any key.
    return verifyReceipt(receipt, {
      keys,
      productId,
      licenseKey: licenseKey ?? '',
      deviceId: device?.id,
      now,
      lastSeen: lastSeen ?? undefined,
    });
  }

  #ask(licenseKey: string, replace: string | undefined): Promise<Verification | SeatAnswer> {
    const call = this.#call();
    if (!isOfDevice(this.#options)) return this.#options.client.licenses.verify(licenseKey, call);
    const { client, device } = this.#options;
    return askForSeat({ licenses: client.licenses, licenseKey, device, replace, call });
  }

  /** Returns a new receipt; null if none can be had now. The answer to a request for a seat brings one. */
  async #newReceipt(licenseKey: string, answer: ValidAnswer): Promise<string | null> {
    if ('receipt' in answer) return answer.receipt;
    if (isOfDevice(this.#options)) return null;
    return this.#options.client.licenses.receipt(licenseKey, this.#call()).then(
      ({ receipt }) => receipt,
      () => null,
    );
  }

  #call(): { readonly productId: string; readonly timeout: number; readonly retries: number } {
    return { productId: this.#options.productId, timeout: this.#timeout, retries: 0 };
  }

  #save(stored: StoredReceipt): Promise<void> {
    return saveReceipt(this.#options.storage, stored, this.#timeout);
  }

  #inTurn<Result>(action: (stored: StoredReceipt, now: Date) => Promise<Result>): Promise<Result> {
    const { storage, now = () => new Date() } = this.#options;
    const turn = this.#turn.then(async () => {
      const stored = await loadReceipt(storage, this.#timeout);
      return action(stored, instantOf(now()));
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

/** Returns an error of the client. Anything else is a mistake of the program, and is thrown again. */
function errorOf(error: unknown): LatchkeyError {
  if (error instanceof LatchkeyError) return error;
  throw error;
}

/** A receipt that a trusted key has signed for this license, even if it is over. */
type OfThisLicense = Exclude<ReceiptVerification, { readonly entitlement: null }>;

function isOfThisLicense(judged: ReceiptVerification | null): judged is OfThisLicense {
  return judged !== null && judged.entitlement !== null;
}

function isOffline(judged: ReceiptVerification | null): boolean {
  return judged?.verdict === 'valid' && judged.mode === 'offline';
}

/** Whether no other receipt is needed: this one shows what the service says, and was handed out or is young. */
function isFresh(judged: ReceiptVerification | null, answer: ValidAnswer, now: Date): boolean {
  if ('receipt' in answer || judged?.verdict !== 'valid' || !isSame(judged.entitlement, answer.entitlement))
    return false;
  return judged.mode === 'offline' || now < new Date(judged.refreshAfter);
}

/** The ends that only receipts show. */
function endsOf({ accessEndsAt, updatesUntil }: Ends): Ends {
  return { ...(accessEndsAt !== undefined && { accessEndsAt }), ...(updatesUntil !== undefined && { updatesUntil }) };
}

type Ends = Pick<ReceiptEntitlement, 'accessEndsAt' | 'updatesUntil'>;

/** The allowance of a license, without absent members. */
function allowedBy({ features, deviceLimit }: Allowed): Allowed {
  return { ...(features !== undefined && { features }), ...(typeof deviceLimit === 'number' && { deviceLimit }) };
}

type Allowed = Pick<ReceiptEntitlement, 'features' | 'deviceLimit'>;

const members = ['id', 'productId', 'status', 'tierId', 'tierName', 'billingInterval', 'currentPeriodEnd'] as const;

function isSame(one: LicensedEntitlement, other: LicensedEntitlement): boolean {
  return members.every((member) => one[member] === other[member]);
}

/** Throws `TypeError` for an invalid instant: a receipt that is judged by it could seem valid for ever. */
function instantOf(now: Date): Date {
  if (typeof now?.getTime !== 'function' || Number.isNaN(now.getTime()))
    throw new TypeError('now must return a valid Date');
  return now;
}

function latest(now: Date, lastSeen: Date | null): Date {
  return lastSeen !== null && lastSeen > now ? lastSeen : now;
}
