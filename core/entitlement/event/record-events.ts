import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Entitlement } from '../entitlement.ts';
import { snapshotAt } from '../snapshot.ts';
import { hasEnded, statusAt } from '../status.ts';
import { licenseFacts, previousValues, type EntitlementEvent } from './entitlement-event.ts';
import type { EventType } from './event-type.ts';
import { justBefore, nextTransition } from './transitions.ts';

/** An entitlement after a change, and the events that are written with it. */
export interface Told<Kind extends Entitlement> {
  readonly next: Kind;
  readonly events: readonly EntitlementEvent[];
}

/** Makes the events of what the clock has done by `now` and for which no event exists yet, in order. */
export function clockEvents(entitlement: Entitlement, now: Date, newId: NewId): readonly EntitlementEvent[] {
  const events: EntitlementEvent[] = [];
  let at = entitlement.nextEventAt;
  while (at !== null && at <= now) {
    const snapshot = snapshotAt(entitlement, at);
    events.push({
      id: newId(),
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

/**
 * Makes the events of a change from `seen` to `next` at the instant of the call: first those of what the clock has done,
 * then the one of the change, unless its type is null. So the events of an entitlement do not depend on when the clock
 * is looked at.
 */
export function tell<Kind extends Entitlement>(
  seen: Entitlement,
  next: Kind,
  type: EventType | null,
  call: Call,
  newId: NewId,
): Told<Kind> {
  const due = clockEvents(seen, call.now, newId);
  const last = seen.sequence + due.length;
  const own = type === null ? [] : [ownEvent(seen, next, type, last + 1, call, newId)];
  return withProgress(next, last + own.length, [...due, ...own], call.now);
}

/** Makes the event of a new entitlement. What the clock did before the grant has none. */
export function tellGrant<Kind extends Entitlement>(granted: Kind, call: Call, newId: NewId): Told<Kind> {
  const event = ownEvent(granted, granted, 'entitlement.granted', 1, call, newId);
  return withProgress(granted, 1, [event], call.now);
}

function ownEvent(
  seen: Entitlement,
  next: Entitlement,
  type: EventType,
  sequence: number,
  { now: at, by, correlationId }: Call,
  newId: NewId,
): EntitlementEvent {
  const entitlement = snapshotAt(next, at);
  const previous = previousValues(snapshotAt(seen, at), entitlement);
  const license = licenseFacts(type, next);
  return { id: newId(), type, at, sequence, by, correlationId, previous, entitlement, license };
}

function withProgress<Kind extends Entitlement>(
  next: Kind,
  sequence: number,
  events: readonly EntitlementEvent[],
  now: Date,
): Told<Kind> {
  return { next: { ...next, sequence, nextEventAt: nextTransition(next, now) }, events };
}
