import type { Call } from '../call.ts';
import type { TakenSeat, TakeSeat } from '../device/take-seat.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { findLicensed, isLicensed, type LicenseHolder } from '../entitlement/license/find-licensed.ts';
import type { Licenses } from '../entitlement/license/licenses.port.ts';
import { Refusal } from '../refusal.ts';
import type { Digest } from '../secret.ts';
import type { IssuedReceipt, SignReceipt } from './issue-receipt.ts';

export interface ActivationRequest extends LicenseHolder {
  readonly deviceId: string;
  readonly deviceName: string | null;
  /** The device, as the list shows it, that makes room if no seat is free; null for none. */
  readonly replace: string | null;
  /** The URL of the service, as the RFC 9728 metadata have it in `resource`. */
  readonly issuer: string;
}

export interface Activation extends TakenSeat {
  /** Null where none can be had: the seat is taken all the same. */
  readonly receipt: IssuedReceipt | null;
}

/**
 * Gives the device of an app a seat of its license; a repeat changes nothing. Refuses with `malformed_license_key`, with
 * `license_not_found` for an unknown, a revoked and another product's key alike, and as `TakeSeat` does.
 */
export type ActivateDevice = (request: ActivationRequest, call: Call) => Promise<Activation>;

/** `sign` is null where the service issues no receipts. */
export function activateDevice(
  licenses: Licenses,
  digest: Digest,
  take: TakeSeat,
  sign: SignReceipt | null,
): ActivateDevice {
  return async ({ deviceId, deviceName, replace, issuer, ...holder }, call) => {
    const read = (): Promise<Entitlement> => findLicensed(licenses, digest, holder, call);
    const taken = await take(read, { deviceId, name: deviceName, replace, offlineUntil: null }, call);
    const { entitlement, device } = taken;
    const receipt =
      sign !== null && isLicensed(entitlement)
        ? await sign(entitlement, device.id, issuer, call).catch(noReceipt)
        : null;
    return { ...taken, receipt };
  };
}

/** Whatever keeps a receipt from being signed: the keys, the clock, or access that ends within a second. */
function noReceipt(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}
