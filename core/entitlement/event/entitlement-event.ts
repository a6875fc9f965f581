import type { Actor } from '../../call.ts';
import { withoutDigest, type LicenseFacts } from '../../license/license.ts';
import { areSameFeatures, type Features } from '../../tier/features.ts';
import type { Entitlement } from '../entitlement.ts';
import type { ChangeReason } from '../history-entry.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Ending } from './ending-soon.ts';
import type { EventType } from './event-type.ts';

/** The members of a snapshot whose earlier values an event shows. The others follow from them or never change. */
const comparedMembers = [
  'status',
  'tierId',
  'tierName',
  'billingInterval',
  'billingIntervalCount',
  'currentPeriodStart',
  'currentPeriodEnd',
  'cancelAt',
  'canceledAt',
  'endedAt',
  'accessEndsAt',
  'updatesUntil',
  'deviceLimit',
  'features',
] as const satisfies readonly (keyof Snapshot)[];

/** The earlier values of what has changed. */
export type PreviousValues = Partial<Pick<Snapshot, (typeof comparedMembers)[number]>>;

/** One change of an entitlement, by a request, a command or the clock. Holds no license key, digest or app key. */
export interface EntitlementEvent {
  /** Random: after a restored backup, an equal sequence stands for another change. */
  readonly id: string;
  readonly type: EventType;
  /** The instant of the change. For the clock, the instant at which the status changed, whenever that was recorded. */
  readonly at: Date;
  /** Counts the events of the entitlement from 1. */
  readonly sequence: number;
  readonly by: Actor;
  /** Null for the clock. */
  readonly correlationId: string | null;
  readonly previous: PreviousValues;
  /** The entitlement at the instant of the event. */
  readonly entitlement: Snapshot;
  /** Null except in events of the license. */
  readonly license: LicenseFacts | null;
  /** Null except in `entitlement.ending_soon`. */
  readonly ending: Ending | null;
  /** Null except in events of a device. */
  readonly device: DeviceFacts | null;
  /** Null for none, as in every event of release 0.1.0. */
  readonly reason: ChangeReason | null;
}

/** Why a device lost its seat. */
export const releaseReasons = ['app', 'operator', 'replaced', 'idle'] as const;

export type ReleaseReason = (typeof releaseReasons)[number];

/** The device that has got or lost a seat. */
export interface DeviceFacts {
  readonly id: string;
  /** Null for one that got a seat. */
  readonly reason: ReleaseReason | null;
}

/** Picks the earlier values of the members in which two snapshots differ. */
export function previousValues(before: Snapshot, after: Snapshot): PreviousValues {
  const changed = comparedMembers.filter((member) => !isSame(before[member], after[member]));
  return Object.fromEntries(changed.map((member) => [member, before[member]]));
}

/** The license that an event of this type shows. */
export function licenseFacts(type: EventType, { license }: Entitlement): LicenseFacts | null {
  return type.startsWith('license.') ? license && withoutDigest(license) : null;
}

function isSame(a: Compared, b: Compared): boolean {
  if (isFeatures(a) && isFeatures(b)) return areSameFeatures(a, b);
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}

type Compared = string | number | Date | Features | null;

function isFeatures(value: Compared): value is Features {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
