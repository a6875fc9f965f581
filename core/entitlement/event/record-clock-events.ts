import type { Call, NewCall } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Entitlement } from '../entitlement.ts';
import { clockEvents, recordClock } from './change-record.ts';
import type { DueEntitlements } from './due-entitlements.port.ts';

/**
 * The time that a change by the clock waits for its event, in milliseconds. It covers small differences between the
 * clocks of processes: a receiver of the event of an end sees that end in the answers of every process.
 */
export const sweepDelay = 1000;

/** The number of entitlements of one write. */
const batchSize = 100;

/**
 * Stores the events of all changes by the clock up to a second ago, and of the ends of access that are no more than
 * `endingSoon` milliseconds away, and returns the number of entitlements. With 0, no end is announced. Any number of
 * processes may do so at the same time: each event is stored once. Ends after a batch once `isStopped` returns true.
 */
export type RecordClockEvents = (newCall: NewCall, isStopped?: () => boolean) => Promise<number>;

export function recordClockEvents(entitlements: DueEntitlements, newEventId: NewId, endingSoon = 0): RecordClockEvents {
  const changed: FindDue = (now, call) => entitlements.due(now, batchSize, call);
  const ending: FindDue = (now, call) => entitlements.ending(new Date(now.getTime() + endingSoon), batchSize, call);
  return async (newCall, isStopped = () => false) => {
    let recorded = 0;
    for (const find of endingSoon === 0 ? [changed] : [changed, ending]) {
      let found = batchSize;
      while (found === batchSize && !isStopped()) {
        const call = newCall();
        const now = new Date(call.now.getTime() - sweepDelay);
        const due = await find(now, call);
        const changes = due.map((seen) => recordClock(seen, now, newEventId, endingSoon));
        recorded += await entitlements.replace(changes, call);
        found = due.length;
      }
    }
    return recorded;
  };
}

/** Finds a batch of entitlements with events to be stored. */
type FindDue = (now: Date, call: Call) => Promise<readonly Entitlement[]>;

/** Finds since when the oldest event of the clock has been due; null if none is. */
export type OldestDue = (call: Call) => Promise<Date | null>;

export function oldestDue(entitlements: DueEntitlements, endingSoon = 0): OldestDue {
  return async (call) => {
    const { now } = call;
    const [changed] = await entitlements.due(now, 1, call);
    const oldest = changed?.nextEventAt ?? null;
    if (endingSoon === 0) return oldest;
    const [seen] = await entitlements.ending(new Date(now.getTime() + endingSoon), 1, call);
    const [event] = seen === undefined ? [] : clockEvents(seen, now, () => '', endingSoon);
    return event !== undefined && (oldest === null || event.at < oldest) ? event.at : oldest;
  };
}
