import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Entitlement } from '../entitlement.ts';
import { historyEntry, type HistoryEntry, type HistoryOperation } from '../history-entry.ts';
import type { EntitlementEvent } from './entitlement-event.ts';
import { eventTypeOf } from './event-type.ts';
import { tell, tellGrant } from './record-events.ts';

/** What is stored with a change: its entry of the history, and its events, the oldest first. */
export interface Trail {
  readonly entry: HistoryEntry;
  readonly events: readonly EntitlementEvent[];
}

/** An entitlement as a change leaves it, and what is stored with the change. */
export interface Trailed<Kind extends Entitlement> {
  readonly next: Kind;
  readonly trail: Trail;
}

/** Makes the trail of a change that a call makes, the events of what the clock did before it included. */
export function changeTrail<Kind extends Entitlement>(
  seen: Entitlement,
  changed: Kind,
  operation: HistoryOperation,
  call: Call,
  newEventId: NewId,
): Trailed<Kind> {
  const { next, events } = tell(seen, changed, eventTypeOf(operation), call, newEventId);
  return { next, trail: { entry: historyEntry(next, operation, call), events } };
}

/** Makes the trail of a new entitlement. */
export function grantTrail(
  granted: Entitlement,
  operation: Extract<HistoryOperation, 'granted' | 'imported'>,
  call: Call,
  newEventId: NewId,
): Trailed<Entitlement> {
  const { next, events } = tellGrant(granted, call, newEventId);
  return { next, trail: { entry: historyEntry(next, operation, call), events } };
}
