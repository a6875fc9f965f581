import { listingExample, listingPageExample } from './examples.ts';
import type { OperationDocs, ParameterDocs } from './operation-docs.ts';

/** A query parameter. Its schema has no bounds: every value is accepted, and one that cannot be used is ignored or clamped. */
function query(name: string, description: string, example?: string): ParameterDocs {
  return { name, in: 'query', description, schema: { type: 'string' }, ...(example !== undefined && { example }) };
}

const catalogHeaders = ['ETag', 'Vary'];

export const listDocs: OperationDocs = {
  summary: 'Browse live listings.',
  parameters: [
    query('q', 'Terms that must all occur in name, blurb, category or slug; cut at 200 characters.'),
    query('sort', '`charts` (default), `new` or `reward`; anything else is the default.', 'charts'),
    query('compensation', '`all` (default), `commission`, `upfront` or `both`; anything else is the default.', 'all'),
    query('category', 'A category, in whatever case.'),
    query('minCommission', '20, 30 or 50; anything else is ignored.', '20'),
    query('minStorefronts', '1, 5 or 10; anything else is ignored.', '1'),
    query('offset', 'A whole number from 0 (default).', '0'),
    query('limit', 'A whole number from 1 to 48; 24 by default, brought within the bounds.', '24'),
  ],
  success: { description: 'A page of listings.', schema: 'ListingPage', example: listingPageExample },
  headers: catalogHeaders,
  refusals: [],
  acceptedScope: 'read:listings',
};

export const detailDocs: OperationDocs = {
  summary: 'Get one live listing.',
  parameters: [
    {
      name: 'slug',
      in: 'path',
      required: true,
      description: 'The listing. One that is not live is answered as one that does not exist.',
      schema: { type: 'string' },
      example: 'tidy',
    },
  ],
  success: { description: 'The listing.', schema: 'ListingDetail', example: listingExample },
  headers: catalogHeaders,
  refusals: ['not_found', 'listing_not_found'],
  acceptedScope: 'read:listings',
};
