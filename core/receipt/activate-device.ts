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

/** A device that has a seat of an entitlement, by the app's own name for it. */
export interface LicensedDevice {
  readonly productId: string;
  readonly deviceId: string;
  readonly entitlementId: string;
}

/** `sign` is null where the service issues no receipts. `convert` notes on the trial of a device that it has a license. */
export function activateDevice(
  licenses: Licenses,
  digest: Digest,
  take: TakeSeat,
  sign: SignReceipt | null,
  convert: (device: LicensedDevice, call: Call) => Promise<unknown>,
): ActivateDevice {
  return async ({ deviceId, deviceName, replace, issuer, ...holder }, call) => {
    const read = (): Promise<Entitlement> => findLicensed(licenses, digest, holder, call);
    const taken = await take(read, { deviceId, name: deviceName, replace, offlineUntil: null }, call);
    const { entitlement, device } = taken;
    // Whatever keeps it from being noted, the seat is taken. The next day's use of the seat notes it.
    const { productId, id: entitlementId } = entitlement;
    if (taken.isNoted) await convert({ productId, deviceId, entitlementId }, call).catch(() => undefined);
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
