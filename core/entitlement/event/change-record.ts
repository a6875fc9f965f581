import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Entitlement } from '../entitlement.ts';
import { historyEntry, type HistoryEntry, type NamedChange } from '../history-entry.ts';
import { snapshotAt } from '../snapshot.ts';
import { clockInstants, hasEnded, statusAt } from '../status.ts';
import type { ClockChange } from './due-entitlements.port.ts';
import { dueEnding, unannouncedEndAfter, type Ending } from './ending-soon.ts';
import { licenseFacts, previousValues, type EntitlementEvent } from './entitlement-event.ts';
import { eventTypeOf, type EventType } from './event-type.ts';

/*
 * Each change of an entitlement gets its events in four steps:
 *
 * 1. find the instants at which the clock changes the status,
 * 2. make the events that are missing for changes by the clock, and for an end of access that is near,
 * 3. make the event of the change itself,
 * 4. record them, together with the state that the change leaves.
 *
 * An entitlement knows how far its events go: `sequence` counts them, `nextEventAt` is the first change by the clock
 * that has none, and `unannouncedEnd` the end that no event has announced (`ending-soon.ts`). Neither depends on how
 * long before an end its event is due, so that a change of that setting announces no end twice. Every change makes the
 * missing events first, so that the events do not depend on when the clock is looked at: by each change, by the sweep
 * (`record-clock-events.ts`), or by both at once, of which one write is stored.
 */

/** The records of a change: its entry of the history, and its events, the oldest first. */
export interface ChangeRecord {
  readonly entry: HistoryEntry;
  readonly events: readonly EntitlementEvent[];
}

/** An entitlement as a change leaves it, and the records that are stored with the change. */
export interface RecordedChange<Kind extends Entitlement> {
  readonly next: Kind;
  readonly changeRecord: ChangeRecord;
}

// Step 1: the instants at which the clock changes the status.

/** Finds the first instant after another at which the clock changes the status, by the rules of `statusAt`. */
export function nextTransition(entitlement: Entitlement, after: Date): Date | null {
  const status = statusAt(entitlement, after);
  const next = clockInstants(entitlement).find(
    (instant) => instant > after && statusAt(entitlement, instant) !== status,
  );
  return next ?? null;
}

/**
 * The instant of a decision: `now`, but never before a change by the clock that has an event. A process whose clock is
 * slow would otherwise resume a subscription after another process has recorded its end.
 */
export function decisionInstant(entitlement: Entitlement, now: Date): Date {
  const recorded = lastRecorded(entitlement);
  return recorded !== null && recorded > now ? recorded : now;
}

/** The last instant at which the clock changes the status and for which there is an event. */
function lastRecorded(entitlement: Entitlement): Date | null {
  const { nextEventAt } = entitlement;
  const recorded = clockInstants(entitlement).findLast(
    (instant) => (nextEventAt === null || instant < nextEventAt) && isTransition(entitlement, instant),
  );
  return recorded ?? null;
}

/** The call with the instant of its decision on an entitlement. */
export function decisionCall(entitlement: Entitlement, call: Call): Call {
  const now = decisionInstant(entitlement, call.now);
  return now === call.now ? call : { ...call, now };
}

function isTransition(entitlement: Entitlement, instant: Date): boolean {
  return statusAt(entitlement, instant) !== statusAt(entitlement, justBefore(instant));
}

/** The instant just before another: instants are whole milliseconds. */
function justBefore(instant: Date): Date {
  return new Date(instant.getTime() - 1);
}

// Step 2: the events of the changes by the clock.

/**
 * Makes the events of the clock up to `now` that do not exist yet, in order: of its changes, and of an end of access that
 * is no more than `endingSoon` milliseconds away. With 0, no end is announced.
 */
export function clockEvents(
  entitlement: Entitlement,
  now: Date,
  newEventId: NewId,
  endingSoon = 0,
): readonly EntitlementEvent[] {
  return clockMoments(entitlement, now, endingSoon).map(({ at, ending }, index) => {
    const snapshot = snapshotAt(entitlement, at);
    const type = ending === null ? transitionType(entitlement, at) : 'entitlement.ending_soon';
    return {
      id: newEventId(),
      type,
      at,
      sequence: entitlement.sequence + index + 1,
      by: 'clock',
      correlationId: null,
      previous: ending === null ? previousValues(snapshotAt(entitlement, justBefore(at)), snapshot) : {},
      entitlement: snapshot,
      license: null,
      ending,
      device: null,
      // The clock suspends for a payment that is missing, and for nothing else.
      reason: type === 'entitlement.suspended' ? 'unpaid' : null,
    };
  });
}

/** A change by the clock at one instant: of the status or, with an ending, its announcement. */
interface ClockMoment {
  readonly at: Date;
  readonly ending: Ending | null;
}

function clockMoments(entitlement: Entitlement, now: Date, endingSoon: number): readonly ClockMoment[] {
  const moments: ClockMoment[] = [];
  let at = entitlement.nextEventAt;
  while (at !== null && at <= now) {
    moments.push({ at, ending: null });
    at = nextTransition(entitlement, at);
  }
  const announced = dueEnding(entitlement, lastRecorded(entitlement), now, endingSoon);
  if (announced === null) return moments;
  // The sort is stable: at one instant, a change of the status comes first.
  return [...moments, announced].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function transitionType(entitlement: Entitlement, at: Date): EventType {
  const status = statusAt(entitlement, at);
  if (hasEnded(status)) return 'entitlement.ended';
  return status === 'suspended' ? 'entitlement.suspended' : 'entitlement.past_due';
}

/** Reports whether the end of a state has been announced, before or by these events. */
function isAnnounced({ unannouncedEnd }: Entitlement, events: readonly EntitlementEvent[]): boolean {
  return unannouncedEnd === null || events.some(({ ending }) => ending !== null);
}

// Step 3: the event of the change itself.

function ownEvent(
  seen: Entitlement,
  changed: Entitlement,
  { operation, reason = null }: NamedChange,
  sequence: number,
  { now: at, by, correlationId }: Call,
  newEventId: NewId,
): EntitlementEvent {
  const type = eventTypeOf(operation);
  const entitlement = snapshotAt(changed, at);
  const previous = previousValues(snapshotAt(seen, at), entitlement);
  const license = licenseFacts(type, changed);
  return {
    id: newEventId(),
    type,
    at,
    sequence,
    by,
    correlationId,
    previous,
    entitlement,
    license,
    ending: null,
    device: null,
    reason,
  };
}

// Step 4: the record.

/** Records a change that a call makes: first the events of the changes by the clock before it, then its own. */
export function recordChange<Kind extends Entitlement>(
  seen: Entitlement,
  changed: Kind,
  made: NamedChange,
  call: Call,
  newEventId: NewId,
  endingSoon = 0,
): RecordedChange<Kind> {
  const byClock = clockEvents(seen, call.now, newEventId, endingSoon);
  const sequence = seen.sequence + byClock.length + 1;
  const own = ownEvent(seen, changed, made, sequence, call, newEventId);
  const unannouncedEnd = unannouncedEndAfter(seen, isAnnounced(seen, byClock), changed, call.now);
  const next = { ...changed, sequence, nextEventAt: nextTransition(changed, call.now), unannouncedEnd };
  return { next, changeRecord: { entry: historyEntry(next, made, call), events: [...byClock, own] } };
}

/** Records a new entitlement, whose first event is the grant. Earlier changes by the clock have no event. */
export function recordGrant(
  granted: Entitlement,
  made: NamedChange & { readonly operation: 'granted' | 'imported' },
  call: Call,
  newEventId: NewId,
): RecordedChange<Entitlement> {
  const own = ownEvent(granted, granted, made, 1, call, newEventId);
  const nextEventAt = nextTransition(granted, call.now);
  const next = {
    ...granted,
    sequence: 1,
    nextEventAt,
    unannouncedEnd: unannouncedEndAfter(granted, false, granted, call.now),
  };
  return { next, changeRecord: { entry: historyEntry(next, made, call), events: [own] } };
}

/** Records the changes by the clock up to `now`. The version stays, and the history has no entry of them. */
export function recordClock(seen: Entitlement, now: Date, newEventId: NewId, endingSoon = 0): ClockChange {
  const events = clockEvents(seen, now, newEventId, endingSoon);
  const { nextEventAt, revision, sequence } = seen;
  // If an end was announced, another process with a faster clock may have recorded changes after `now`.
  const isDue = nextEventAt !== null && nextEventAt <= now;
  const next = {
    ...seen,
    revision: revision + 1,
    sequence: sequence + events.length,
    nextEventAt: isDue ? nextTransition(seen, now) : nextEventAt,
    unannouncedEnd: unannouncedEndAfter(seen, isAnnounced(seen, events), seen, now),
  };
  return { seen, next, events };
}
