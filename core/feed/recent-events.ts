import type { Call } from '../call.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { hour } from '../parsing/duration.ts';
import { ofEntitlements, type Events, type PlacedEvent } from './events.port.ts';

/** Events of the product that are looked at: about 50 ms of the process's time. */
const maxExamined = 10_000;

/** Events that are read at once: about 3 ms of the process's time. */
const sliceSize = 500;

/** The maximum difference between the clocks of two processes, in milliseconds. */
const clockDifference = hour;

/**
 * Finds the events of an entitlement among the last 10,000 of its product, oldest first. The log has no index by
 * entitlement, so that older ones are not looked for.
 */
export async function recentEvents(
  events: Pick<Events, 'page' | 'lastPosition'>,
  { id, productId, createdAt }: Pick<Entitlement, 'id' | 'productId' | 'createdAt'>,
  call: Call,
): Promise<readonly PlacedEvent[]> {
  const oldest = new Date(createdAt.getTime() - clockDifference);
  const found: PlacedEvent[] = [];
  let end = await events.lastPosition(productId, call);
  const last = Math.max(0, end - maxExamined);
  while (end > last) {
    const start = Math.max(last, end - sliceSize);
    const page = await events.page(productId, start, end - start, call);
    const own = ofEntitlements(page.events).filter(({ event }) => event.entitlement.id === id);
    found.unshift(...own);
    const isBefore = page.events.some(({ event }) => event.by !== 'clock' && event.at < oldest);
    if (isBefore || own[0]?.event.sequence === 1 || page.first > start) break;
    end = start;
  }
  return found;
}
