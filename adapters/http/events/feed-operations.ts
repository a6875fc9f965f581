import type { AwaitFeed } from '../../../core/feed/await-feed.ts';
import type { Operation } from '../operations/operation.ts';
import { feedDocs } from './feed-docs.ts';
import { feedAnswer, feedRequestIn } from './feed-request.ts';

/** The feed of the events of the app key's product. */
export function feedOperations(awaitFeed: AwaitFeed): readonly Operation[] {
  return [
    {
      id: 'listEvents',
      docs: feedDocs,
      method: 'GET',
      path: '/api/app-events',
      access: 'read:entitlements',
      body: 'ignored',
      crossOrigin: false,
      errors: 'standard',
      handle: async ({ query, appKey, call, hold }) =>
        feedAnswer(await awaitFeed(appKey.productId, feedRequestIn(query), call, hold), call.correlationId),
    },
  ];
}
