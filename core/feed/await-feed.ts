import type { Call } from '../call.ts';
import { readCursor } from './feed-cursor.ts';
import type { FeedFollower } from './feed-follower.ts';
import type { Hold } from './held.ts';
import type { FeedPage, FeedRequest, ReadFeed } from './read-feed.ts';

/** How many seconds a request may wait for an event. */
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

export function awaitFeed(readFeed: ReadFeed, follower: Pick<FeedFollower, 'follow'>): AwaitFeed {
  return async (productId, { wait, ...request }, call, hold) => {
    const page = await readFeed(productId, request, call);
    if (page.events.length > 0 || wait === 0) return page;
    const held = follower.follow(productId, readCursor(page.next).position, wait * 1000);
    if (held === null || !(await hold(held))) return page;
    return readFeed(productId, { ...request, after: page.next }, call);
  };
}
