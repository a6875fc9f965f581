import {
  isActivation,
  isDeviceList,
  isIssuedReceipt,
  isLicensedEntitlement,
  isSeat,
  isTrial,
  type Members,
} from './answer/forms.ts';
import { LatchkeyError } from './errors.ts';
import type {
  DeviceActivation,
  DeviceDeactivation,
  Features,
  IssuedReceipt,
  LicensedEntitlement,
  LicenseDevices,
  StartedTrial,
} from './models.ts';
import type { GateDevice } from './receipts/device.ts';
import { sentKey } from './receipts/license-key.ts';
import type { CallOptions, ClientRequest } from './request.ts';
import { dataOf, send, smallAnswer, unusable, type Transport } from './transport.ts';

export interface VerifyOptions extends CallOptions {
  /** If set, the license must belong to this product. */
  readonly productId?: string | undefined;
}

export interface ReceiptOptions extends CallOptions {
  /** The license must belong to this product. */
  readonly productId: string;
}

export interface TrialOptions extends CallOptions {
  /** The app's own name for its device: 8 to 128 printable ASCII characters without spaces. */
  readonly deviceId: string;
}

export interface ActivateOptions extends VerifyOptions {
  /** The app's own name for its device: 8 to 128 printable ASCII characters without spaces. */
  readonly deviceId: string;
  /** For the buyer, in lists of devices: 1 to 100 characters. It may be personal. */
  readonly deviceName?: string | undefined;
  /** The device, as the list shows it, that makes room if no seat is free. */
  readonly replace?: string | undefined;
}

/** Exactly one of the two names of a device. */
export type DeactivateOptions = VerifyOptions &
  (
    | { readonly deviceId: string; readonly device?: undefined }
    /** The device as the list shows it. */
    | { readonly device: string; readonly deviceId?: undefined }
  );

/**
 * The result of a verification. `unavailable` is no verdict: a failure of the service or of the network says nothing of
 * the license, so that no buyer may be locked out because of it.
 */
export type Verification =
  | { readonly verdict: 'valid'; readonly entitlement: LicensedEntitlement }
  /** The license is known, and its entitlement gives no access now. */
  | { readonly verdict: 'invalid'; readonly reason: 'no_access'; readonly entitlement: LicensedEntitlement }
  /** The key cannot be one, or no license of the product has it, or the license was revoked. */
  | { readonly verdict: 'invalid'; readonly reason: 'malformed' | 'unknown'; readonly entitlement: null }
  | { readonly verdict: 'unavailable'; readonly error: LatchkeyError };

/** Verifies license keys, fetches their receipts, and takes and releases seats for devices. */
export class Licenses {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Never throws, whatever the key or the service: it only rejects when the caller's signal is aborted. */
  async verify(licenseKey: string, { productId, ...options }: VerifyOptions = {}): Promise<Verification> {
    const body = { licenseKey: sentKey(licenseKey), productId };
    try {
      const { valid, entitlement } = await send(this.#transport, requestOf('verify', body, options));
      return verificationOf(valid, entitlement);
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error;
      if (error.code === 'malformed_license_key') return { verdict: 'invalid', reason: 'malformed', entitlement: null };
      return { verdict: 'unavailable', error };
    }
  }

  /**
   * Fetches a receipt of a license that gives access: a proof that `verifyReceipt` verifies without the service. Throws
   * `NotFoundError` for a key that no license of the product has, and `ConflictError` for a license that gives no access.
   */
  async receipt(licenseKey: string, { productId, ...options }: ReceiptOptions): Promise<IssuedReceipt> {
    return this.#post('receipt', licenseKey, { productId }, options, isIssuedReceipt);
  }

  /**
   * Starts the trial of a device, or finds the one that it has, with a receipt for it. Throws `NotFoundError` for a product
   * without a trial, `ConflictError` with the code `trial_ended`, and `RateLimitError`.
   */
  async trial(productId: string, { deviceId, ...options }: TrialOptions): Promise<StartedTrial> {
    const data = await dataOf(this.#transport, requestOf('trial', { productId, deviceId }, options));
    if (!isTrial(data)) throw unusable('The answer is not one of Latchkey');
    return data as unknown as StartedTrial;
  }

  /**
   * Gives a device a seat of a license, with a receipt for it. The same device again keeps its seat. Throws `NotFoundError`
   * for a key that no license of the product has; `ConflictError` with the code `no_access`, with `device_limit` if all
   * seats are taken, and with `device_offline`; and `RateLimitError` with the code `too_many_releases`.
   */
  async activate(licenseKey: string, options: ActivateOptions): Promise<DeviceActivation> {
    const { productId, deviceId, deviceName, replace, ...call } = options;
    return this.#post('activate', licenseKey, { productId, deviceId, deviceName, replace }, call, isActivation);
  }

  /**
   * Releases the seat of a device; one without a seat is a success. Throws `NotFoundError`, `ConflictError` with the code
   * `device_offline`, and `RateLimitError` with the code `too_many_releases`.
   */
  async deactivate(licenseKey: string, options: DeactivateOptions): Promise<DeviceDeactivation> {
    const { productId, deviceId, device, ...call } = options;
    return this.#post('deactivate', licenseKey, { productId, deviceId, device }, call, isSeat);
  }

  /** Lists the devices of a license, those that were not seen for the longest time first. Throws `NotFoundError`. */
  async devices(licenseKey: string, { productId, ...call }: VerifyOptions = {}): Promise<LicenseDevices> {
    return this.#post('devices', licenseKey, { productId }, call, isDeviceList);
  }

  /** Throws for an answer that is not usable, which says nothing of the license. */
  async #post<Answered>(
    verb: string,
    licenseKey: string,
    others: object,
    options: CallOptions,
    isUsable: (data: Members) => boolean,
  ): Promise<Answered> {
    const body = { licenseKey: sentKey(licenseKey), ...others };
    const data = await dataOf(this.#transport, requestOf(verb, body, options));
    if (!isUsable(data)) throw unusable('The answer is not one of Latchkey');
    return data as Answered;
  }
}

function requestOf(verb: string, body: object, options: CallOptions): ClientRequest {
  return { ...options, method: 'POST', path: `/api/licenses/${verb}`, body, maxBytes: smallAnswer };
}

function verificationOf(valid: unknown, entitlement: unknown): Verification {
  const isUsable = isLicensedEntitlement(entitlement) || (entitlement === undefined && valid === false);
  if (!isUsable || typeof valid !== 'boolean')
    return { verdict: 'unavailable', error: unusable('The answer is not one of Latchkey') };
  if (entitlement === undefined) return { verdict: 'invalid', reason: 'unknown', entitlement: null };
  const shown = entitlement as unknown as LicensedEntitlement;
  return valid
    ? { verdict: 'valid', entitlement: shown }
    : { verdict: 'invalid', reason: 'no_access', entitlement: shown };
}

/** Why a device gets no seat, though the license may be valid. */
export type SeatRefusal = 'device_limit' | 'device_offline' | 'too_many_releases';

/** A device that has no seat. The codes are those of `ConflictError` and `RateLimitError`. */
export interface NoSeat {
  readonly verdict: 'invalid';
  readonly reason: SeatRefusal;
  readonly entitlement: null;
}

/** The result of a request for a seat. `receipt` is null where none can be had. */
export type SeatAnswer =
  | {
      readonly verdict: 'valid';
      readonly entitlement: LicensedEntitlement;
      readonly receipt: string | null;
      readonly deviceLimit: number | null;
      readonly features?: Features;
    }
  | Extract<Verification, { readonly verdict: 'invalid' | 'unavailable' }>
  | NoSeat;

/** The codes that are a verdict, and the reason that each gives. Every other failure says nothing of the license. */
const reasons: ReadonlyMap<string | null, SeatRefusal | 'malformed' | 'unknown'> = new Map([
  ['malformed_license_key', 'malformed'],
  ['license_not_found', 'unknown'],
  ['device_limit', 'device_limit'],
  ['device_offline', 'device_offline'],
  ['too_many_releases', 'too_many_releases'],
] as const);

interface SeatRequest {
  readonly licenses: Pick<Licenses, 'activate' | 'verify'>;
  readonly licenseKey: string;
  readonly device: GateDevice;
  readonly replace: string | undefined;
  readonly call: { readonly productId: string; readonly timeout: number; readonly retries: number };
}

/** Asks for a seat, and for the reason if the license gives no access. Never throws because of the network. */
export async function askForSeat({ licenses, licenseKey, device, replace, call }: SeatRequest): Promise<SeatAnswer> {
  try {
    const options = { ...call, deviceId: device.id, deviceName: device.name, replace };
    const { entitlement, receipt, deviceLimit, features } = await licenses.activate(licenseKey, options);
    const allowed = { deviceLimit, ...(features !== undefined && { features }) };
    return { verdict: 'valid', entitlement, receipt: receipt?.receipt ?? null, ...allowed };
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    const reason = reasons.get(error.code);
    if (reason !== undefined) return { verdict: 'invalid', reason, entitlement: null };
    const verification = error.code === 'no_access' ? await licenses.verify(licenseKey, call) : null;
    return verification?.verdict === 'invalid' ? verification : { verdict: 'unavailable', error };
  }
}
