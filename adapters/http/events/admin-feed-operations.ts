import type { AwaitFeed } from '../../../core/feed/await-feed.ts';
import { identifierRule } from '../../../core/identifier.ts';
import type { Products } from '../../../core/product/products.port.ts';
import { parameterIn } from '../operations/admin/query-parameters.ts';
import type { OperatorOperation } from '../operations/operation.ts';
import { refuse } from '../refusals.ts';
import { adminFeedDocs } from './feed-docs.ts';
import { feedAnswer, feedRequestIn } from './feed-request.ts';

/** The feed of the events of any product, for operators. */
export function adminFeedOperations(awaitFeed: AwaitFeed, products: Products): readonly OperatorOperation[] {
  return [
    {
      id: 'listEventsOfProduct',
      docs: adminFeedDocs,
      method: 'GET',
      path: '/admin/events',
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
