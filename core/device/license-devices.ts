import type { Call } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { decisionCall } from '../entitlement/event/change-record.ts';
import { recordSeats } from '../entitlement/event/seat-record.ts';
import { findLicensed, type LicenseHolder } from '../entitlement/license/find-licensed.ts';
import type { Licenses } from '../entitlement/license/licenses.port.ts';
import { allowanceKnown } from '../tier/allowance.ts';
import { deviceOf, type Device } from './device.ts';
import { withKnownLimit, type Limited } from './seats.ts';
import { allowRelease, type SeatParts } from './take-seat.ts';

/** The maximum number of devices that the holder of a license key sees. */
export const maxListed = 100;

export interface DeactivationRequest extends LicenseHolder {
  /** The device by the app's own name for it, or as the list shows it. */
  readonly device: { readonly deviceId: string } | { readonly device: string };
}

/** The seats of a license after a request. */
export interface LicenseSeats {
  readonly entitlement: Limited;
  /** Those that were not seen for the longest time first, 100 at most. */
  readonly devices: readonly Device[];
}

export interface ReleasedDevice {
  readonly device: string;
  readonly entitlement: Limited;
}

/**
 * Releases the seat of a device for an app; a device without one is a success. Refuses with `malformed_license_key`,
 * `license_not_found`, `device_offline` and `too_many_releases`.
 */
export type DeactivateDevice = (request: DeactivationRequest, call: Call) => Promise<ReleasedDevice>;

export function deactivateDevice(licenses: Licenses, parts: SeatParts): DeactivateDevice {
  const release = releaseSeat(parts);
  return ({ device, ...holder }, call) =>
    release(() => findLicensed(licenses, parts.digest, holder, call), device, call);
}

/**
 * Releases the seat of a device within the allowance of apps; a device without one is a success. `read` reads the
 * entitlement and refuses what has no right to it. Refuses with `device_offline` and `too_many_releases`.
 */
export type ReleaseSeat = (
  read: () => Promise<Entitlement>,
  device: DeactivationRequest['device'],
  call: Call,
) => Promise<ReleasedDevice>;

export function releaseSeat(parts: SeatParts): ReleaseSeat {
  const { devices, digest, settings } = parts;
  return (read, named, call) =>
    untilStored(call, async () => {
      const entitlement = await read();
      const id = 'device' in named ? named.device : deviceOf(entitlement.id, named.deviceId, digest);
      const device = await devices.find(entitlement.id, id, call);
      const { deviceLimit } = await allowanceKnown(parts.knownTiers, entitlement, call);
      if (device === null) return { device: id, entitlement: { ...entitlement, deviceLimit } };
      const decisive = decisionCall(entitlement, call);
      const releasesUntil = allowRelease(entitlement, deviceLimit, device, settings, decisive);
      const moves = [{ kind: 'released', device: id, reason: 'app' }] as const;
      const { next, events } = recordSeats(entitlement, moves, { releasesUntil, deviceLimit }, decisive, parts);
      const outcome = await devices.replace(entitlement, next, { gone: [id], put: [], events }, call);
      return outcome.kind === 'stale' ? 'stale' : { device: id, entitlement: { ...next, deviceLimit } };
    });
}

/** Lists the devices of a license. Refuses with `malformed_license_key` and `license_not_found`. */
export type ListLicenseDevices = (holder: LicenseHolder, call: Call) => Promise<LicenseSeats>;

export function listLicenseDevices(
  licenses: Licenses,
  { devices, digest, knownTiers }: Pick<SeatParts, 'devices' | 'digest' | 'knownTiers'>,
): ListLicenseDevices {
  return async (holder, call) => {
    const entitlement = await findLicensed(licenses, digest, holder, call);
    const found = await devices.page(entitlement.id, { after: null, limit: maxListed }, call);
    return { entitlement: await withKnownLimit(knownTiers, entitlement, call), devices: found };
  };
}
