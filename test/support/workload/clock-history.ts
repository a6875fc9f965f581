import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { clockEvents } from '../../../core/entitlement/event/change-record.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { countingIds } from '../random-entitlements.ts';

/**
 * Finds where the events of an entitlement differ from what the clock did until its renewal, and the renewal; without a
 * renewal, from what the clock did until an end. Nothing else happened to the entitlement.
 */
export function clockViolations(seen: Entitlement, events: readonly EntitlementEvent[], end: Date): readonly string[] {
  const renewal = events.find(({ type }) => type === 'entitlement.renewed');
  const before = clockEvents(seen, renewal?.at ?? end, countingIds());
  const expected = renewal === undefined ? before : [...before, { ...renewal, sequence: before.length + 1 }];
  const [found, wanted] = [events.map(factOf).join(', '), expected.map(factOf).join(', ')];
  return found === wanted ? [] : [`${seen.id}: ${found} instead of ${wanted}`];
}

function factOf({ type, at, sequence, by }: EntitlementEvent): string {
  return `${sequence} ${type} at ${at.toISOString()} by ${by}`;
}
