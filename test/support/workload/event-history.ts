import type { PlacedEvent } from '../../../core/feed/events.port.ts';
import type { SeenSnapshot } from './history.ts';

/**
 * Finds where a log breaks the promise of one event for each change, in the order of the changes. Nothing but requests to
 * cancel and resume changed the entitlements between the two states.
 */
export function eventViolations(
  { before, after }: { readonly before: readonly SeenSnapshot[]; readonly after: readonly SeenSnapshot[] },
  log: readonly PlacedEvent[],
): readonly string[] {
  const byEntitlement = Map.groupBy(log, ({ event }) => event.entitlement.id);
  return [
    ...log.flatMap(({ position }, index) => (position === index + 1 ? [] : [`position ${position} at ${index + 1}`])),
    ...before.flatMap((first) => {
      const last = after.find(({ id }) => id === first.id)?.version ?? 0;
      return violationsOf(first, last, byEntitlement.get(first.id) ?? []);
    }),
  ];
}

function violationsOf(first: SeenSnapshot, last: number, events: readonly PlacedEvent[]): readonly string[] {
  const recorded = events.map(({ event }) => `${event.sequence}: version ${event.entitlement.version}, ${event.type}`);
  const expected = Array.from({ length: last - first.version }, (_, index) => {
    const isScheduled = first.cancelAtPeriodEnd === (index % 2 === 1);
    const type = isScheduled ? 'cancellation_scheduled' : 'cancellation_undone';
    return `${index + 1}: version ${first.version + index + 1}, entitlement.${type}`;
  });
  const length = Math.max(recorded.length, expected.length);
  return Array.from({ length }, (_, index) => index).flatMap((index) =>
    recorded[index] === expected[index]
      ? []
      : [`${first.id}: event ${recorded[index] ?? 'missing'} instead of ${expected[index] ?? 'nothing'}`],
  );
}
