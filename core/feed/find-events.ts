import type { Call } from '../call.ts';
import type { EventType } from '../entitlement/event/event-type.ts';
import { cursorAt, invalidCursor, textIn } from '../paging/cursor.ts';
import type { Page, PageRequest } from '../paging/page.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import { ofEntitlements, type Events, type PlacedEvent } from './events.port.ts';

/** Which events of a product are wanted. */
export interface EventFilter {
  readonly productId: string;
  /** Null for events of every type. */
  readonly type: EventType | null;
  /** Null for the events of every entitlement. */
  readonly entitlementId: string | null;
}

/**
 * Lists events of entitlements of a product, the newest first. A page may have fewer events than its limit, even none, and a next page: a
 * request reads a bounded part of the log. Refuses with `product_not_found`, and with `invalid_parameter` for a cursor of
 * another list.
 */
export type FindEvents = (filter: EventFilter, page: PageRequest, call: Call) => Promise<Page<PlacedEvent>>;

/** Events that are read at once. */
const sliceSize = 200;
/** Events that one request reads: a search for a rare type goes on with the next page. */
const maxRead = 2000;

export function findEvents(events: Pick<Events, 'page' | 'lastPosition'>, products: Products): FindEvents {
  return async (filter, { after, limit }, call) => {
    const { productId } = filter;
    const list = ['newest events', productId, filter.type, filter.entitlementId] as const;
    const before = positionIn(textIn(list, after));
    if ((await products.find(productId, call)) === null) throw new Refusal('product_not_found');
    const start = before ?? (await events.lastPosition(productId, call)) + 1;
    const found: PlacedEvent[] = [];
    let end = start;
    while (end > 1 && found.length <= limit && start - end < maxRead) {
      const from = Math.max(1, end - sliceSize);
      const page = await events.page(productId, from - 1, end - from, call);
      found.push(
        ...ofEntitlements(page.events)
          .filter((placed) => placed.position < end && matches(placed, filter))
          .toReversed(),
      );
      end = page.first >= from ? 1 : from;
    }
    const items = found.slice(0, limit);
    const next = found.length > limit ? items.at(-1)?.position : end;
    return { items, next: next === undefined || next <= 1 ? null : cursorAt(list, [String(next)]) };
  };
}

function positionIn(text: string | null): number | null {
  if (text === null) return null;
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw invalidCursor();
  return Number(text);
}

function matches({ event }: PlacedEvent, { type, entitlementId }: EventFilter): boolean {
  return (type === null || event.type === type) && (entitlementId === null || event.entitlement.id === entitlementId);
}
