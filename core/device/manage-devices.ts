import type { Call } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import { existing } from '../entitlement/administration/show-entitlement.ts';
import { decisionCall } from '../entitlement/event/change-record.ts';
import { recordSeats, type SeatMove } from '../entitlement/event/seat-record.ts';
import { allowanceKnown } from '../tier/allowance.ts';
import type { Device } from './device.ts';
import { withKnownLimit, type Limited } from './seats.ts';
import type { SeatParts } from './take-seat.ts';

type Parts = Pick<SeatParts, 'devices' | 'newEventId' | 'endingSoon' | 'knownTiers'> & {
  readonly entitlements: Pick<AllEntitlements, 'find'>;
};

/** Devices that one write releases, or one read lists. */
const batchSize = 100;

/** The devices of an entitlement. */
export interface EntitlementDevices {
  readonly entitlement: Limited;
  /** Those that were not seen for the longest time first. */
  readonly devices: readonly Device[];
}

/**
 * Lists the devices of an entitlement, all of them or the first `most`, a hundred in each read. Refuses with
 * `entitlement_not_found`.
 */
export type ListDevices = (entitlementId: string, call: Call, most?: number) => Promise<EntitlementDevices>;

export function listDevices({ devices, entitlements, knownTiers }: Parts): ListDevices {
  return async (entitlementId, call, most = Infinity) => {
    const entitlement = await withKnownLimit(knownTiers, await existing(entitlements, entitlementId, call), call);
    // A device that is seen meanwhile moves to the end, and counts once.
    const found = new Map<string, Device>();
    for (let after: Device | null = null; ;) {
      const part: readonly Device[] = await devices.page(entitlementId, { after, limit: batchSize }, call);
      for (const device of part) found.set(device.id, device);
      after = part.at(-1) ?? null;
      if (part.length < batchSize || found.size >= most) return { entitlement, devices: [...found.values()] };
    }
  };
}

/** A device of an entitlement; null if it has no seat. */
export interface FoundDevice {
  readonly entitlement: Limited;
  readonly device: Device | null;
}

/** Refuses with `entitlement_not_found`. */
export type FindDevice = (entitlementId: string, device: string, call: Call) => Promise<FoundDevice>;

export function findDevice({ devices, entitlements, knownTiers }: Parts): FindDevice {
  return async (entitlementId, device, call) => {
    const entitlement = await withKnownLimit(knownTiers, await existing(entitlements, entitlementId, call), call);
    return { entitlement, device: await devices.find(entitlementId, device, call) };
  };
}

/** The number of released seats, and the entitlement after that. */
export interface ReleasedSeats {
  readonly released: number;
  readonly entitlement: Limited;
}

/**
 * Releases the seat of one device for an operator, whatever an app may do; one without a seat is a success. Refuses with
 * `entitlement_not_found`.
 */
export type ReleaseDevice = (entitlementId: string, device: string, call: Call) => Promise<ReleasedSeats>;

export function releaseDevice(parts: Parts): ReleaseDevice {
  return (entitlementId, device, call) =>
    releaseSome(parts, entitlementId, call, async () => {
      const found = await parts.devices.find(entitlementId, device, call);
      return found === null ? [] : [found];
    });
}

/**
 * Releases all seats of an entitlement, a hundred in each write. If it is interrupted, a repeat goes on. Refuses with
 * `entitlement_not_found`.
 */
export type ClearDevices = (entitlementId: string, call: Call) => Promise<ReleasedSeats>;

export function clearDevices(parts: Parts): ClearDevices {
  return async (entitlementId, call) => {
    for (let released = 0; ;) {
      const some = await releaseSome(parts, entitlementId, call, () =>
        parts.devices.page(entitlementId, { after: null, limit: batchSize }, call),
      );
      released += some.released;
      if (some.released < batchSize) return { released, entitlement: some.entitlement };
    }
  };
}

function releaseSome(
  parts: Parts,
  entitlementId: string,
  call: Call,
  choose: () => Promise<readonly Device[]>,
): Promise<ReleasedSeats> {
  return untilStored(call, async () => {
    const entitlement = await existing(parts.entitlements, entitlementId, call);
    const { deviceLimit } = await allowanceKnown(parts.knownTiers, entitlement, call);
    const gone = (await choose()).map(({ id }) => id);
    if (gone.length === 0) return { released: 0, entitlement: { ...entitlement, deviceLimit } };
    const decisive = decisionCall(entitlement, call);
    const { releasesUntil } = entitlement;
    const moves = gone.map((device): SeatMove => ({ kind: 'released', device, reason: 'operator' }));
    const { next, events } = recordSeats(entitlement, moves, { releasesUntil, deviceLimit }, decisive, parts);
    const outcome = await parts.devices.replace(entitlement, next, { gone, put: [], events }, call);
    return outcome.kind === 'stale' ? 'stale' : { released: gone.length, entitlement: { ...next, deviceLimit } };
  });
}
