import type { Catalog, RenderedAnswer } from '../../../core/catalog/catalog.port.ts';
import { readListingQuery } from '../../../core/catalog/listing-query.ts';
import { catalogCacheControl, noStore, varyByEdition, type Answer } from '../answer.ts';
import { refuse } from '../refusals.ts';
import { detailDocs, listDocs } from './docs/listing-docs.ts';
import { catalogBody } from './listing-views.ts';
import type { Operation, OperationRequest } from './operation.ts';

const path = '/api/marketplace/listings';

const publicRead = {
  method: 'GET',
  caller: 'anyone',
  body: 'ignored',
  crossOrigin: true,
  errors: 'standard',
} as const;

/**
 * Operations 4.1 and 4.2. `maxAge` is how long caches may keep an answer, in milliseconds, while the catalog is fresh. The
 * tags of rendered answers are ETags.
 */
export function listingOperations(catalog: Catalog, maxAge: number): readonly Operation[] {
  const cacheControl = catalogCacheControl(maxAge);
  const answer = ({ text, tag }: RenderedAnswer, correlationId: string): Answer => ({
    status: 200,
    body: catalogBody(text, correlationId),
    cacheControl: catalog.isFresh() ? cacheControl : noStore,
    etag: tag,
    headers: varyByEdition,
  });
  return [
    {
      ...publicRead,
      id: 'listListings',
      docs: listDocs,
      path,
      handle: async ({ query, call }: OperationRequest) => {
        const parameters = new URLSearchParams(`?${query}`);
        const asked = readListingQuery((name) => parameters.get(name));
        await catalog.loaded(call);
        const page = await catalog.page(asked, call);
        return answer(page, call.correlationId);
      },
    },
    {
      ...publicRead,
      id: 'getListing',
      docs: detailDocs,
      path: `${path}/:slug`,
      handle: async ({ parameters: { slug = '' }, call }: OperationRequest) => {
        await catalog.loaded(call);
        const listing = await catalog.find(slug, call);
        if (listing === null) throw refuse('listing_not_found');
        return answer(listing, call.correlationId);
      },
    },
  ];
}
