import type { Document } from 'mongodb';
import type { ArchivedDevice } from '../../../core/copy/archive.port.ts';
import type { Device } from '../../../core/device/device.ts';
import type { SeatChange } from '../../../core/device/devices.port.ts';

interface DeviceFacts {
  readonly name: string | null;
  readonly activated: Date;
  readonly seen: Date;
  readonly offline: Date | null;
}

/** A document of `devices`, by entitlement and device. An entitlement with all of them would be read and written whole. */
export interface DeviceDocument extends DeviceFacts {
  readonly _id: string;
  /** The entitlement. */
  readonly of: string;
  readonly id: string;
  /** The revision of the entitlement that has written it last, so that a late move of an earlier one changes nothing. */
  readonly n: number;
  /** When it lost its seat; null while it has one. */
  readonly gone: Date | null;
}

/**
 * A change that one write makes to one device. It waits in the `moves` of the entitlement, where it is written with the
 * count, until `devices` has it.
 */
export interface DeviceMove {
  readonly id: string;
  /** The revision of the entitlement that it makes. */
  readonly n: number;
  /** Null for a device that loses its seat. */
  readonly put: DeviceFacts | null;
}

/** The members of an entitlement that the moves are carried out from. */
export interface MovingEntitlement {
  readonly _id: string;
  readonly moves?: readonly DeviceMove[];
}

/** Leaves moves out of a read of an entitlement. */
export const withoutMoves = { moves: 0 };

/** The expression for the moves of an entitlement with these added. */
export function movesWith({ gone, put }: SeatChange, n: number): Document {
  const moves: readonly DeviceMove[] = [
    ...gone.map((id) => ({ id, n, put: null })),
    ...put.map((device) => ({ id: device.id, n, put: factsOf(device) })),
  ];
  return { $concatArrays: [{ $ifNull: ['$moves', []] }, { $literal: moves }] };
}

export function deviceKey(entitlementId: string, id: string): string {
  return `${entitlementId} ${id}`;
}

export function fromDeviceFacts(id: string, { name, activated, seen, offline }: DeviceFacts): Device {
  return { id, name, activatedAt: activated, seenAt: seen, offlineUntil: offline };
}

export function fromDeviceDocument(document: DeviceDocument): ArchivedDevice {
  return { entitlementId: document.of, device: fromDeviceFacts(document.id, document) };
}

/** The document of a copy, which every later write of its entitlement replaces. */
export function toDeviceDocument({ entitlementId: of, device }: ArchivedDevice): DeviceDocument {
  return { _id: deviceKey(of, device.id), of, id: device.id, n: 0, ...factsOf(device), gone: null };
}

function factsOf({ name, activatedAt, seenAt, offlineUntil }: Device): DeviceFacts {
  return { name, activated: activatedAt, seen: seenAt, offline: offlineUntil };
}
