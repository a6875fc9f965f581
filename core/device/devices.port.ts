import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import type { Device } from './device.ts';

/** A part of the list of devices, in the order of `compareDevices`. */
export interface DevicePart {
  /** The last device before the part; null for the first part. */
  readonly after: Pick<Device, 'id' | 'seenAt'> | null;
  readonly limit: number;
}

/** A change that one write makes to the devices of an entitlement. */
export interface SeatChange {
  /** The ids of the devices that lose their seats. */
  readonly gone: readonly string[];
  /** The devices that get a seat, or whose members change. */
  readonly put: readonly Device[];
  readonly events: readonly EntitlementEvent[];
}

/**
 * The devices that have seats. Their number is in the entitlement, which every change of them replaces: of two writers
 * that saw one state only one succeeds.
 */
export interface Devices {
  /** Read the entitlement first: then a device that has changed since makes the entitlement stale. */
  find(entitlementId: string, id: string, call: Call): Promise<Device | null>;

  page(entitlementId: string, part: DevicePart, call: Call): Promise<readonly Device[]>;

  /** The number of devices of each of these entitlements. */
  counts(entitlementIds: readonly string[], call: Call): Promise<ReadonlyMap<string, number>>;

  /** Replaces `seen` by `next`, changes the devices and stores the events, in one atomic write or not at all. */
  replace(seen: Entitlement, next: Entitlement, change: SeatChange, call: Call): Promise<ReplaceOutcome>;

  /** Stores the name of a device and when it was seen, if it still has its seat and was not seen later. */
  note(entitlementId: string, device: Pick<Device, 'id' | 'name' | 'seenAt'>, call: Call): Promise<void>;
}
