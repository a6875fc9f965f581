import type { DeriveLicenseKey } from '../billing/derive-license-key.ts';
import type { Call } from '../call.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import type { Events } from '../feed/events.port.ts';
import { recentEvents } from '../feed/recent-events.ts';
import { lastFourOf } from '../license/license-key.ts';

/** Finds the end of the key that an event has replaced. Null if nothing is known of it. */
export type FindReplaced = (event: EntitlementEvent, entitlement: Entitlement, call: Call) => Promise<string | null>;

/** The key before was that of the last event of the license or, before the first, the one that was derived for the grant. */
export function findReplaced(events: Pick<Events, 'page' | 'lastPosition'>, deriveKey: DeriveLicenseKey): FindReplaced {
  return async ({ sequence }, entitlement, call) => {
    const own = (await recentEvents(events, entitlement, call)).map(({ event }) => event);
    const before = own.filter((event) => event.sequence < sequence);
    const license = before.findLast((event) => event.license !== null)?.license ?? null;
    if (license !== null) return license.lastFour;
    const isWhole = before[0]?.sequence === 1 && before.length === sequence - 1;
    const isDerived = before[0]?.type === 'entitlement.granted' && before[0].by === 'stripe';
    return isWhole && isDerived ? lastFourOf(await deriveKey(entitlement.id, call)) : null;
  };
}
