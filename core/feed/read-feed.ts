import type { Call } from '../call.ts';
import { defaultPageSize, maxPageSize } from '../paging/page.ts';
import { Refusal } from '../refusal.ts';
import { ofEntitlements, type EventPage, type Events, type PlacedEvent } from './events.port.ts';
import { cursorBehind, readCursor, startOfLog, writeCursor, type FeedCursor } from './feed-cursor.ts';
import type { FeedFollower, Hold } from './feed-follower.ts';
import type { LoggedEvent } from './logged-event.ts';

export const feedLimits = { min: 1, max: maxPageSize, default: defaultPageSize } as const;

export interface FeedRequest {
  /** The `next` of the page before; null for the events from the oldest kept one on. */
  readonly after: string | null;
  /** The maximum number of events. */
  readonly limit: number;
}

export interface FeedPage {
  readonly events: readonly PlacedEvent[];
  /** The cursor behind the page. */
  readonly next: string;
  readonly hasMore: boolean;
}

/**
 * Reads a page of the events of a product's entitlements, oldest first. Refuses with `invalid_cursor`; with `cursor_expired` if events
 * behind the cursor are no longer kept; and with `cursor_unknown` if the cursor belongs to another store, or to events
 * that a restored backup has undone. The feed never starts again from the oldest event by itself.
 */
export type ReadFeed = (productId: string, request: FeedRequest, call: Call) => Promise<FeedPage>;

export function readFeed(events: Pick<Events, 'page' | 'catchUp'>): ReadFeed {
  return async (productId, { after, limit }, call) => {
    const cursor = after === null ? null : readCursor(after);
    const from = cursor ?? startOfLog;
    // From the event of the cursor on, because its id shows whether the log is the one that the cursor belongs to.
    const before = Math.max(0, from.position - 1);
    const read = (): Promise<EventPage> => events.page(productId, before, limit + from.position - before, call);
    let page = await read();
    if (from.position > page.last) {
      await events.catchUp(call);
      page = await read();
    }
    if (cursor !== null) check(cursor, page);
    return pageBehind(from, page, limit, (position) => events.page(productId, position, limit, call));
  };
}

/** Leaves out what is about no entitlement, and reads on where that leaves nothing. */
async function pageBehind(
  start: FeedCursor,
  first: EventPage,
  limit: number,
  readOn: (position: number) => Promise<EventPage>,
): Promise<FeedPage> {
  let [from, page] = [start, first];
  for (;;) {
    const { position } = from;
    const all = page.events.filter((placed) => placed.position > position).slice(0, limit);
    const last = all.at(-1);
    if (last !== undefined) from = cursorBehind(last);
    const events = ofEntitlements(all);
    const hasMore = from.position < page.last;
    if (events.length > 0 || last === undefined || !hasMore) return { events, next: writeCursor(from), hasMore };
    page = await readOn(from.position);
  }
}

function check(cursor: FeedCursor, { events, first }: EventPage): void {
  const { position, mark } = cursor;
  if (position + 1 < first) throw new Refusal('cursor_expired');
  const own = events.find((each) => each.position === position);
  const isOther = own === undefined ? position >= first : !isBehind(own, mark);
  if (position > 0 && isOther) throw new Refusal('cursor_unknown');
}

function isBehind(own: PlacedEvent<LoggedEvent>, mark: string): boolean {
  return cursorBehind(own).mark === mark;
}

/** The seconds for which a request may wait for an event. */
export const waitLimits = { min: 0, max: 30, default: 0 } as const;

export interface AwaitFeedRequest extends FeedRequest {
  /** The maximum number of seconds to wait for an event if the page is empty. */
  readonly wait: number;
}

/**
 * Reads a page of the events of a product as `ReadFeed` does. If it is empty, waits for an event; returns the empty page
 * if none happens in time, the hold ends early, or too many requests wait already.
 */
export type AwaitFeed = (productId: string, request: AwaitFeedRequest, call: Call, hold: Hold) => Promise<FeedPage>;

export function awaitFeed(read: ReadFeed, follower: Pick<FeedFollower, 'follow'>): AwaitFeed {
  return async (productId, { wait, ...request }, call, hold) => {
    const page = await read(productId, request, call);
    if (page.events.length > 0 || wait === 0) return page;
    const held = follower.follow(productId, readCursor(page.next).position, wait * 1000);
    if (held === null || !(await hold(held))) return page;
    return read(productId, { ...request, after: page.next }, call);
  };
}
