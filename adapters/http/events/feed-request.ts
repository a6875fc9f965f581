import { waitLimits, type AwaitFeedRequest } from '../../../core/feed/await-feed.ts';
import { feedLimits, type FeedPage } from '../../../core/feed/read-feed.ts';
import { boundedInteger } from '../../../core/parsing/integer.ts';
import type { Answer } from '../answer.ts';
import { feedEventView } from './event-view.ts';

/** Reads which page of the feed a query asks for. Numbers out of bounds are brought within them. */
export function feedRequestIn(query: string): AwaitFeedRequest {
  const parameters = new URLSearchParams(`?${query}`);
  return {
    after: parameters.get('after'),
    limit: boundedInteger(parameters.get('limit'), feedLimits) ?? feedLimits.default,
    wait: boundedInteger(parameters.get('wait'), waitLimits) ?? waitLimits.default,
  };
}

/** The answer with a page of the feed. */
export function feedAnswer({ events, next, hasMore }: FeedPage, correlationId: string): Answer {
  const data = events.map(({ event }) => feedEventView(event));
  const body = JSON.stringify({ success: true, data, meta: { next, hasMore }, correlationId });
  return { status: 200, body, cacheControl: 'private, no-store' };
}
