import type { PlacedEvent } from '../../../core/feed/events.port.ts';

/** A delivery that a receiver has accepted. */
export interface Delivery {
  readonly id: string;
  readonly entitlementId: string | undefined;
}

/**
 * Finds where deliveries break the promise that a receiver gets each event of a log at least once, those of each
 * entitlement in their order, and nothing else. A repeat counts where it first arrived.
 */
export function deliveryViolations(log: readonly PlacedEvent[], accepted: readonly Delivery[]): readonly string[] {
  const recorded = Map.groupBy(log, ({ event }) => event.entitlement.id);
  const arrived = Map.groupBy(accepted, ({ entitlementId }) => entitlementId ?? 'no entitlement');
  return [...new Set([...recorded.keys(), ...arrived.keys()])].flatMap((id) => {
    const expected = (recorded.get(id) ?? []).map(({ event }) => event.id);
    const found = [...new Set((arrived.get(id) ?? []).map((delivery) => delivery.id))];
    const length = Math.max(expected.length, found.length);
    const index = Array.from({ length }, (_, at) => at).find((at) => expected[at] !== found[at]);
    if (index === undefined) return [];
    return [`${id}: delivery ${index + 1} is ${found[index] ?? 'missing'} instead of ${expected[index] ?? 'nothing'}`];
  });
}
