import { waitLimits, type AwaitFeedRequest } from '../../../core/event/await-feed.ts';
import { feedLimits, type FeedPage } from '../../../core/event/read-feed.ts';
import type { Answer } from '../answer.ts';
import { feedEventView } from './event-view.ts';

/** Reads which page of the feed a query asks for. Numbers out of bounds are brought within them. */
export function feedRequestIn(query: string): AwaitFeedRequest {
  const parameters = new URLSearchParams(`?${query}`);
  return {
    after: parameters.get('after'),
    limit: boundedIn(parameters, 'limit', feedLimits),
    wait: boundedIn(parameters, 'wait', waitLimits),
  };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

function boundedIn(parameters: URLSearchParams, name: string, bounds: Bounds): number {
  const text = parameters.get(name) ?? '';
  const value = /^-?[0-9]+$/.test(text) ? Number(text) : bounds.default;
  return Math.min(Math.max(value, bounds.min), bounds.max);
}

/** The answer with a page of the feed. */
export function feedAnswer({ events, next, hasMore }: FeedPage, correlationId: string): Answer {
  const data = events.map(({ event }) => feedEventView(event));
  const body = JSON.stringify({ success: true, data, meta: { next, hasMore }, correlationId });
  return { status: 200, body, cacheControl: 'private, no-store' };
}
