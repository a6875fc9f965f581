import type { Catalog, RenderedAnswer } from '../../../core/catalog/catalog.port.ts';
import { readListingQuery } from '../../../core/catalog/listing-query.ts';
import { noStore, type Answer } from '../answer.ts';
import { catalogBody } from './listing-views.ts';
import { detailDocs, listDocs } from './docs/listing-docs.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { refuse } from '../refusals.ts';

const path = '/api/marketplace/listings';

/** Longer than any freshness lifetime of the default by far: caches answer at once and ask behind the answer. */
const staleWhileRevalidate = 30;

/**
 * Operations 4.1 and 4.2. `maxAge` is how long caches may keep an answer, in milliseconds, as long as the catalog is
 * fresh; the tags are ETags.
 */
export function listingOperations(catalog: Catalog, maxAge: number): readonly Operation[] {
  const cacheControl = `public, max-age=${Math.floor(maxAge / 1000)}, stale-while-revalidate=${staleWhileRevalidate}`;
  const answer = ({ text, tag }: RenderedAnswer, correlationId: string): Answer => ({
    status: 200,
    body: catalogBody(text, correlationId),
    cacheControl: catalog.isFresh() ? cacheControl : noStore,
    etag: tag,
    headers: vary,
  });
  return [
    {
      ...open,
      id: 'listListings',
      docs: listDocs,
      path,
      handle: async ({ query, call }: OperationRequest) => {
        const parameters = new URLSearchParams(`?${query}`);
        const page = await catalog.page(
          readListingQuery((name) => parameters.get(name)),
          call,
        );
        return answer(page, call.correlationId);
      },
    },
    {
      ...open,
      id: 'getListing',
      docs: detailDocs,
      path: `${path}/:slug`,
      handle: async ({ parameters: { slug = '' }, call }: OperationRequest) => {
        const listing = await catalog.find(slug);
        if (listing === null) throw refuse('listing_not_found');
        return answer(listing, call.correlationId);
      },
    },
  ];
}

const vary = ['Vary', 'API-Version'];

const open = {
  method: 'GET',
  access: 'public',
  body: 'ignored',
  crossOrigin: true,
  errors: 'standard',
} as const;
