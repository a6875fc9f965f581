import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Entitlement } from '../entitlement.ts';
import { historyEntry, type HistoryEntry, type HistoryOperation } from '../history-entry.ts';
import { snapshotAt } from '../snapshot.ts';
import { hasEnded, statusAt } from '../status.ts';
import type { ClockChange } from './due-entitlements.port.ts';
import { licenseFacts, previousValues, type EntitlementEvent } from './entitlement-event.ts';
import { eventTypeOf } from './event-type.ts';

/*
 * How each change of an entitlement gets its events, in four steps:
 *
 * 1. find the instants at which the clock changes the status,
 * 2. make the events of what the clock has done and that have none yet,
 * 3. make the event of the change itself,
 * 4. put them on record, together with the state that the change leaves.
 *
 * An entitlement knows how far its events go: `sequence` counts them, and `nextEventAt` is the first change by the clock
 * that has none. Every change makes the missing events first, so that the events do not depend on when the clock is looked
 * at: by each change, by the sweep (`record-clock-events.ts`), or by both at once, of which one write is stored.
 */

/** What is stored with a change: its entry of the history, and its events, the oldest first. */
export interface ChangeRecord {
  readonly entry: HistoryEntry;
  readonly events: readonly EntitlementEvent[];
}

/** An entitlement as a change leaves it, and what is stored with the change. */
export interface RecordedChange<Kind extends Entitlement> {
  readonly next: Kind;
  readonly changeRecord: ChangeRecord;
}

// Step 1: the instants at which the clock changes the status.

/** Finds the first instant after another at which the clock changes the status, by the rules of `statusAt`. */
export function nextTransition(entitlement: Entitlement, after: Date): Date | null {
  const status = statusAt(entitlement, after);
  const next = boundaries(entitlement).find((instant) => instant > after && statusAt(entitlement, instant) !== status);
  return next ?? null;
}

/**
 * The instant of a decision: `now`, but never before a change by the clock that has an event. A process whose clock is
 * slow would otherwise resume a subscription after another process has recorded its end.
 */
export function decisionInstant(entitlement: Entitlement, now: Date): Date {
  const { nextEventAt } = entitlement;
  const recorded = boundaries(entitlement).findLast(
    (instant) => instant > now && (nextEventAt === null || instant < nextEventAt) && isTransition(entitlement, instant),
  );
  return recorded ?? now;
}

/** The call with the instant of its decision on an entitlement. */
export function decisionCall(entitlement: Entitlement, call: Call): Call {
  const now = decisionInstant(entitlement, call.now);
  return now === call.now ? call : { ...call, now };
}

function isTransition(entitlement: Entitlement, instant: Date): boolean {
  return statusAt(entitlement, instant) !== statusAt(entitlement, justBefore(instant));
}

/** The instants at which the clock can change the status, in order. */
function boundaries(entitlement: Entitlement): readonly Date[] {
  if (entitlement.kind === 'one_time') return [];
  const { currentPeriodEnd, graceUntil, cancellation } = entitlement;
  const instants = cancellation === null ? [] : [cancellation.at];
  return [...instants, currentPeriodEnd, graceUntil].toSorted((a, b) => a.getTime() - b.getTime());
}

/** The instant just before another: instants are whole milliseconds. */
function justBefore(instant: Date): Date {
  return new Date(instant.getTime() - 1);
}

// Step 2: the events of the changes by the clock.

/** Makes the events of the changes by the clock up to `now` that have none yet, in order. */
export function clockEvents(entitlement: Entitlement, now: Date, newEventId: NewId): readonly EntitlementEvent[] {
  const events: EntitlementEvent[] = [];
  let at = entitlement.nextEventAt;
  while (at !== null && at <= now) {
    const snapshot = snapshotAt(entitlement, at);
    events.push({
      id: newEventId(),
      type: hasEnded(statusAt(entitlement, at)) ? 'entitlement.ended' : 'entitlement.past_due',
      at,
      sequence: entitlement.sequence + events.length + 1,
      by: 'clock',
      correlationId: null,
      previous: previousValues(snapshotAt(entitlement, justBefore(at)), snapshot),
      entitlement: snapshot,
      license: null,
    });
    at = nextTransition(entitlement, at);
  }
  return events;
}

// Step 3: the event of the change itself.

function ownEvent(
  seen: Entitlement,
  changed: Entitlement,
  operation: HistoryOperation,
  sequence: number,
  { now: at, by, correlationId }: Call,
  newEventId: NewId,
): EntitlementEvent {
  const type = eventTypeOf(operation);
  const entitlement = snapshotAt(changed, at);
  const previous = previousValues(snapshotAt(seen, at), entitlement);
  const license = licenseFacts(type, changed);
  return { id: newEventId(), type, at, sequence, by, correlationId, previous, entitlement, license };
}

// Step 4: the record.

/** Records a change that a call makes: first the events of the changes by the clock before it, then its own. */
export function recordChange<Kind extends Entitlement>(
  seen: Entitlement,
  changed: Kind,
  operation: HistoryOperation,
  call: Call,
  newEventId: NewId,
): RecordedChange<Kind> {
  const byClock = clockEvents(seen, call.now, newEventId);
  const sequence = seen.sequence + byClock.length + 1;
  const own = ownEvent(seen, changed, operation, sequence, call, newEventId);
  const next = withProgress(changed, sequence, call.now);
  return { next, changeRecord: { entry: historyEntry(next, operation, call), events: [...byClock, own] } };
}

/** Records a new entitlement, whose first event is the grant. Earlier changes by the clock have no event. */
export function recordGrant(
  granted: Entitlement,
  operation: Extract<HistoryOperation, 'granted' | 'imported'>,
  call: Call,
  newEventId: NewId,
): RecordedChange<Entitlement> {
  const own = ownEvent(granted, granted, operation, 1, call, newEventId);
  const next = withProgress(granted, 1, call.now);
  return { next, changeRecord: { entry: historyEntry(next, operation, call), events: [own] } };
}

/** Records the changes by the clock up to `now`. The version stays, and the history has no entry of them. */
export function recordClock(seen: Entitlement, now: Date, newEventId: NewId): ClockChange {
  const events = clockEvents(seen, now, newEventId);
  const written = { ...seen, revision: seen.revision + 1 };
  return { seen, next: withProgress(written, seen.sequence + events.length, now), events };
}

/** Adds to a state the sequence of its last event and the instant of its next change by the clock. */
function withProgress<Kind extends Entitlement>(next: Kind, sequence: number, now: Date): Kind {
  return { ...next, sequence, nextEventAt: nextTransition(next, now) };
}
