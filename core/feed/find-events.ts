import type { Call } from '../call.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import type { EventType } from '../entitlement/event/event-type.ts';
import { cursorAt, invalidCursor, positionIn, type ListName } from '../paging/cursor.ts';
import type { Page, PageRequest } from '../paging/page.ts';
import { everyProduct } from '../product/list-products.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import type { Events, PlacedEvent } from './events.port.ts';
import { newestEvents, type Places } from './newest-events.ts';

/** Which events are wanted. */
export interface EventFilter {
  /** Null for the events of every product. */
  readonly productId: string | null;
  /** Null for events of every type. */
  readonly type: EventType | null;
  /** Null for the events of every entitlement. */
  readonly entitlementId: string | null;
}

export interface EventsPage extends Page<PlacedEvent> {
  /** Whether there are older events, which only the lists of single products show: those of too many have been read. */
  readonly isCut: boolean;
}

/**
 * Lists events of entitlements, the newest first, of a product or of the first 1,000 products by id. A page may have fewer
 * events than its limit, even none, and a next page: a request reads a bounded part of the logs. Refuses with
 * `product_not_found`, and with `invalid_parameter` for a cursor of another list.
 */
export type FindEvents = (filter: EventFilter, page: PageRequest, call: Call) => Promise<EventsPage>;

/** Events that one request reads: a search for a rare type goes on with the next page. */
const maxRead = 2000;
/** Products whose logs are read for a list of all. */
const maxProducts = 1000;
/** Characters of a cursor, which names the products that it has begun: the target of a request has at most 8,192. */
const maxCursorLength = 6000;

const nothing: EventsPage = { items: [], next: null, isCut: false };

export function findEvents(
  events: Pick<Events, 'page' | 'lastPosition'>,
  products: Products,
  entitlements: { find(id: string, call: Call): Promise<Pick<Entitlement, 'productId'> | null> },
): FindEvents {
  return async ({ productId, type, entitlementId }, { after, limit }, call) => {
    const list = ['newest events', productId, type, entitlementId] as const;
    const places = placesIn(list, after);
    const owner = productId === null && entitlementId !== null ? await entitlements.find(entitlementId, call) : null;
    if (productId === null && entitlementId !== null && owner === null) return nothing;
    const productIds = await productsOf(products, productId ?? owner?.productId ?? null, call);
    const matches = ({ event }: PlacedEvent): boolean =>
      (type === null || event.type === type) && (entitlementId === null || event.entitlement.id === entitlementId);
    const found = await newestEvents(events, { productIds, matches, limit, maxRead }, places, call);
    const cursor =
      found.next &&
      cursorAt(
        list,
        [...found.next].flatMap(([id, before]) => [id, String(before)]),
      );
    const isCut = cursor !== null && cursor.length > maxCursorLength;
    return { items: found.items, next: isCut ? null : cursor, isCut };
  };
}

async function productsOf(products: Products, productId: string | null, call: Call): Promise<readonly string[]> {
  if (productId !== null) {
    if ((await products.find(productId, call)) === null) throw new Refusal('product_not_found');
    return [productId];
  }
  return firstProducts(products, call);
}

/** The ids of the first products by id whose events a list of all products has. */
export async function firstProducts(products: Pick<Products, 'page'>, call: Call): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of everyProduct(products)(() => call)) {
    ids.push(id);
    if (ids.length === maxProducts) break;
  }
  return ids;
}

/** Reads where a list goes on: pairs of a product and a position. */
function placesIn(list: ListName, after: string | null): Places {
  if (after === null) return new Map();
  const texts = positionIn(list, after);
  const places = new Map<string, number>();
  for (let index = 0; index < texts.length; index += 2) {
    const [id = '', before = ''] = texts.slice(index, index + 2);
    if (!/^[1-9][0-9]{0,14}$/.test(before)) throw invalidCursor();
    places.set(id, Number(before));
  }
  return places;
}
