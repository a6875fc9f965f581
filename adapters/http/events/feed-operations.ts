import {
  feedLimits,
  waitLimits,
  type AwaitFeed,
  type AwaitFeedRequest,
  type FeedPage,
} from '../../../core/feed/read-feed.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { boundedInteger } from '../../../core/parsing/value-rule.ts';
import type { Products } from '../../../core/product/products.port.ts';
import type { Answer } from '../answer.ts';
import { parameterIn } from '../operations/admin/query-parameters.ts';
import type { Operation, OperatorOperation } from '../operations/operation.ts';
import { refuse } from '../refusals.ts';
import { feedEventView } from './event-view.ts';
import { adminFeedDocs, feedDocs } from './feed-docs.ts';

/** The feed of the events of the app key's product. */
export function feedOperations(awaitFeed: AwaitFeed): readonly Operation[] {
  return [
    {
      id: 'listEvents',
      docs: feedDocs,
      method: 'GET',
      path: '/api/app-events',
      caller: 'app',
      access: 'read:entitlements',
      body: 'ignored',
      crossOrigin: false,
      errors: 'standard',
      handle: async ({ query, appKey, call, hold }) =>
        feedAnswer(await awaitFeed(appKey.productId, feedRequestIn(query), call, hold), call.correlationId),
    },
  ];
}

/** The feed of the events of any product, for operators. */
export function adminFeedOperations(awaitFeed: AwaitFeed, products: Products): readonly OperatorOperation[] {
  return [
    {
      id: 'listEventsOfProduct',
      docs: adminFeedDocs,
      method: 'GET',
      path: '/admin/events',
      caller: 'operator',
      access: 'admin:read',
      body: 'ignored',
      crossOrigin: false,
      errors: 'standard',
      handle: async (request) => {
        const { query, call, hold } = request;
        const productId = parameterIn(request, 'product', identifierRule);
        if (productId === null) throw refuse('invalid_parameter', { message: 'product must name the product.' });
        if ((await products.find(productId, call)) === null) throw refuse('product_not_found');
        return feedAnswer(await awaitFeed(productId, feedRequestIn(query), call, hold), call.correlationId);
      },
    },
  ];
}

/** Reads which page of the feed a query asks for. Numbers out of bounds are brought within them. */
function feedRequestIn(query: string): AwaitFeedRequest {
  const parameters = new URLSearchParams(`?${query}`);
  return {
    after: parameters.get('after'),
    limit: boundedInteger(parameters.get('limit'), feedLimits) ?? feedLimits.default,
    wait: boundedInteger(parameters.get('wait'), waitLimits) ?? waitLimits.default,
  };
}

/** The answer with a page of the feed. */
function feedAnswer({ events, next, hasMore }: FeedPage, correlationId: string): Answer {
  const data = events.map(({ event }) => feedEventView(event));
  const body = JSON.stringify({ success: true, data, meta: { next, hasMore }, correlationId });
  return { status: 200, body, cacheControl: 'private, no-store' };
}
