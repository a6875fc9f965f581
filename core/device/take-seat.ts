import type { Call } from '../call.ts';
import type { TrustsClock } from '../clock/clock-trust.ts';
import { untilStored } from '../compare-and-set.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { decisionCall } from '../entitlement/event/change-record.ts';
import { recordSeats, type SeatMove } from '../entitlement/event/seat-record.ts';
import { givesAccess, statusAt } from '../entitlement/status.ts';
import type { NewId } from '../identifier.ts';
import { Refusal } from '../refusal.ts';
import type { Digest } from '../secret.ts';
import { allowanceKnown, type Allowance, type KnownTiers } from '../tier/allowance.ts';
import { deviceOf, type Device } from './device.ts';
import type { Devices } from './devices.port.ts';
import { decideRelease, isIdle, isOffline, seatsOf, seenInterval, type SeatSettings } from './seats.ts';

export interface SeatParts {
  readonly devices: Devices;
  readonly digest: Digest;
  readonly trustsClock: TrustsClock;
  readonly newEventId: NewId;
  readonly settings: SeatSettings;
  readonly endingSoon: number;
  readonly knownTiers: KnownTiers;
}

/** A device that asks for a seat. */
export interface SeatRequest {
  /** The app's own name for the device. */
  readonly deviceId: string;
  /** Null or empty keeps the name that the device has. */
  readonly name: string | null;
  /** The device that makes room if no seat is free; null for none. */
  readonly replace: string | null;
  /** The end of an offline receipt that is about to name the device; null for none. */
  readonly offlineUntil: Date | null;
}

/** A device with its seat. */
export interface TakenSeat {
  /** `present`: the device had its seat already. */
  readonly kind: 'activated' | 'present';
  readonly device: Device;
  /** Whether this was noted as a use of the seat: at first, and once a day. */
  readonly isNoted: boolean;
  /** As the seat leaves it. */
  readonly entitlement: Entitlement;
  readonly allowance: Allowance;
}

/**
 * Gives a device a seat, or finds the one that it has: a repeat changes nothing. `read` reads the entitlement and refuses
 * what has no right to it. If all seats are taken, the device that was not seen for the longest time makes room
 * once it is idle, or `replace` does. Refuses with `no_access`, `device_limit`, `device_offline` and
 * `too_many_releases`.
 */
export type TakeSeat = (read: () => Promise<Entitlement>, request: SeatRequest, call: Call) => Promise<TakenSeat>;

export function takeSeat(parts: SeatParts): TakeSeat {
  return (read, { name, ...named }, call) =>
    untilStored(call, async () => {
      const request = { ...named, name: name === '' ? null : name };
      const entitlement = await read();
      const decisive = decisionCall(entitlement, call);
      if (!givesAccess(statusAt(entitlement, decisive.now))) throw new Refusal('no_access');
      const id = deviceOf(entitlement.id, request.deviceId, parts.digest);
      const own = await parts.devices.find(entitlement.id, id, call);
      const allowance = await allowanceKnown(parts.knownTiers, entitlement, call);
      const taken =
        own === null
          ? await addDevice(parts, entitlement, allowance.deviceLimit, id, request, decisive)
          : await keepDevice(parts, entitlement, own, request, decisive);
      return taken === 'stale' ? taken : { ...taken, allowance };
    });
}

type Seat = Omit<TakenSeat, 'allowance'>;

async function keepDevice(
  parts: SeatParts,
  entitlement: Entitlement,
  own: Device,
  { name, offlineUntil }: SeatRequest,
  call: Call,
): Promise<Seat | 'stale'> {
  const { now } = call;
  const isSeen = now.getTime() - own.seenAt.getTime() >= seenInterval(parts.settings);
  const device: Device = {
    ...own,
    name: name ?? own.name,
    seenAt: isSeen ? now : own.seenAt,
    offlineUntil: later(own.offlineUntil, offlineUntil),
  };
  if (device.offlineUntil !== own.offlineUntil) {
    const change = { gone: [], put: [{ ...device, seenAt: now }], events: [] };
    const next = { ...entitlement, revision: entitlement.revision + 1 };
    const outcome = await parts.devices.replace(entitlement, next, change, call);
    return outcome.kind === 'stale' ? 'stale' : { kind: 'present', device, entitlement: next, isNoted: true };
  }
  if (isSeen || device.name !== own.name) await parts.devices.note(entitlement.id, device, call);
  return { kind: 'present', device, entitlement, isNoted: isSeen };
}

async function addDevice(
  parts: SeatParts,
  entitlement: Entitlement,
  deviceLimit: number | null,
  id: string,
  request: SeatRequest,
  call: Call,
): Promise<Seat | 'stale'> {
  const { now } = call;
  const isFree = entitlement.devicesUsed < seatsOf(deviceLimit);
  const freed = isFree ? nothing : await freeSeat(parts, entitlement, deviceLimit, request, call);
  const { name, offlineUntil } = request;
  const device: Device = { id, name, activatedAt: now, seenAt: now, offlineUntil };
  const moves: readonly SeatMove[] = [...freed.moves, { kind: 'activated', device: id }];
  const { next, events } = recordSeats(
    entitlement,
    moves,
    { releasesUntil: freed.releasesUntil ?? entitlement.releasesUntil, deviceLimit },
    call,
    parts,
  );
  const change = { gone: freed.moves.map((move) => move.device), put: [device], events };
  const outcome = await parts.devices.replace(entitlement, next, change, call);
  return outcome.kind === 'stale' ? 'stale' : { kind: 'activated', device, entitlement: next, isNoted: true };
}

interface FreedSeat {
  readonly moves: readonly Extract<SeatMove, { readonly kind: 'released' }>[];
  /** Null if it stays as it is. */
  readonly releasesUntil: Date | null;
}

const nothing: FreedSeat = { moves: [], releasesUntil: null };

/** Finds the device whose seat another one takes. While more seats are used than there are, nobody gets one. */
async function freeSeat(
  { devices, trustsClock, settings }: SeatParts,
  entitlement: Entitlement,
  deviceLimit: number | null,
  { replace }: SeatRequest,
  call: Call,
): Promise<FreedSeat> {
  if (entitlement.devicesUsed > seatsOf(deviceLimit)) throw new Refusal('device_limit');
  const idle = await idleDevice(devices, entitlement.id, settings, call);
  if (idle !== null && (await trustsClock(call)))
    return { moves: [{ kind: 'released', device: idle.id, reason: 'idle' }], releasesUntil: null };
  const replaced = replace === null ? null : await devices.find(entitlement.id, replace, call);
  if (replaced === null) throw new Refusal('device_limit');
  const releasesUntil = allowRelease(entitlement, deviceLimit, replaced, settings, call);
  return { moves: [{ kind: 'released', device: replaced.id, reason: 'replaced' }], releasesUntil };
}

/** Finds the device that was not seen for the longest time of those that are idle and have no offline receipt. */
async function idleDevice(
  devices: Devices,
  entitlementId: string,
  settings: SeatSettings,
  call: Call,
): Promise<Device | null> {
  // Mostly the first one decides. Devices with offline receipts are never seen again, so they gather before the others.
  for (let after: Device | null = null, limit = 1; ; limit = 100) {
    const part: readonly Device[] = await devices.page(entitlementId, { after, limit }, call);
    const found = part.find((device) => !isIdle(device, settings, call.now) || !isOffline(device, call.now));
    if (found !== undefined) return isIdle(found, settings, call.now) ? found : null;
    after = part.at(-1) ?? null;
    if (part.length < limit) return null;
  }
}

/** Refuses with `device_offline` and `too_many_releases`. Returns the next `releasesUntil`. */
export function allowRelease(
  entitlement: Entitlement,
  deviceLimit: number | null,
  device: Device,
  settings: SeatSettings,
  { now }: Call,
): Date | null {
  if (isOffline(device, now)) throw new Refusal('device_offline');
  const decision = decideRelease(entitlement, deviceLimit, settings, now);
  if (decision.kind === 'refused') throw new Refusal('too_many_releases', { retryAt: decision.retryAt });
  return decision.releasesUntil;
}

function later(known: Date | null, given: Date | null): Date | null {
  return known === null || (given !== null && given > known) ? given : known;
}
