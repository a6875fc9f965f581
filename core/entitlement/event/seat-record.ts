import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Entitlement } from '../entitlement.ts';
import { snapshotAt } from '../snapshot.ts';
import { recordClock } from './change-record.ts';
import type { EntitlementEvent, ReleaseReason } from './entitlement-event.ts';

/** A change of one device's seat. */
export type SeatMove =
  | { readonly kind: 'activated'; readonly device: string }
  | { readonly kind: 'released'; readonly device: string; readonly reason: ReleaseReason };

interface RecordParts {
  readonly newEventId: NewId;
  readonly endingSoon: number;
}

/**
 * Counts the devices of an entitlement again, and makes the events of their moves, in order, after those of the clock.
 * The version and the history stay as they are: a seat does not change what was sold.
 */
export function recordSeats(
  seen: Entitlement,
  moves: readonly SeatMove[],
  { releasesUntil, deviceLimit }: { readonly releasesUntil: Date | null; readonly deviceLimit: number | null },
  call: Call,
  { newEventId, endingSoon }: RecordParts,
): { readonly next: Entitlement; readonly events: readonly EntitlementEvent[] } {
  const clock = recordClock(seen, call.now, newEventId, endingSoon);
  let next: Entitlement = { ...clock.next, releasesUntil };
  const events = moves.map((move): EntitlementEvent => {
    const devicesUsed = next.devicesUsed + (move.kind === 'activated' ? 1 : -1);
    next = { ...next, devicesUsed, sequence: next.sequence + 1 };
    return {
      id: newEventId(),
      type: move.kind === 'activated' ? 'device.activated' : 'device.released',
      at: call.now,
      sequence: next.sequence,
      // A request of the public is one of somebody who has the license key.
      by: call.by === 'public' ? 'license' : call.by,
      correlationId: call.correlationId,
      previous: {},
      entitlement: { ...snapshotAt(next, call.now), deviceLimit },
      license: null,
      ending: null,
      device: { id: move.device, reason: move.kind === 'released' ? move.reason : null },
      reason: null,
    };
  });
  return { next, events: [...clock.events, ...events] };
}
