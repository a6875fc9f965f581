import type { NewCall } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import { recordClock } from './change-record.ts';
import type { DueEntitlements } from './due-entitlements.port.ts';

/**
 * How long a change by the clock waits for its event, in milliseconds. It covers small differences between the clocks of
 * processes: a receiver of the event of an end sees that end in the answers of every process.
 */
export const sweepDelay = 1000;

/** How many entitlements one write covers. */
const batchSize = 100;

/**
 * Stores the events of all changes by the clock up to a second ago, and returns the number of entitlements. Any number
 * of processes may do so at the same time: each event is stored once. Ends after a batch once `isStopped` returns true.
 */
export type RecordClockEvents = (newCall: NewCall, isStopped?: () => boolean) => Promise<number>;

export function recordClockEvents(entitlements: DueEntitlements, newEventId: NewId): RecordClockEvents {
  return async (newCall, isStopped = () => false) => {
    let recorded = 0;
    let found = batchSize;
    while (found === batchSize && !isStopped()) {
      const call = newCall();
      const now = new Date(call.now.getTime() - sweepDelay);
      const due = await entitlements.due(now, batchSize, call);
      const changes = due.map((seen) => recordClock(seen, now, newEventId));
      recorded += await entitlements.replace(changes, call);
      found = due.length;
    }
    return recorded;
  };
}
