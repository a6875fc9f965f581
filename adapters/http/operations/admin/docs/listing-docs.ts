import { named } from '../../../../administration/declaration/schema-parts.ts';
import { listings, listParameters, pathParameter, queryParameter, type AdminDocs } from './admin-docs.ts';

const slug = pathParameter('slug', 'The slug of the listing.');

export const listDocs: AdminDocs = {
  tag: listings,
  summary: 'List listings in every state.',
  description: 'By slug.',
  parameters: [queryParameter('state', 'Only listings in this state.', named('ListingState')), ...listParameters],
  success: { description: 'A page of listings.', schema: 'ListingPage' },
  refusals: ['invalid_parameter'],
};

export const putDocs: AdminDocs = {
  tag: listings,
  summary: 'Add a listing, or replace it.',
  description:
    'Without `state` the listing is live. A known slug keeps its `id` and, if the request gives none, its `publishedAt`. Every process shows the change within a second.',
  parameters: [slug],
  request: {
    schema: 'ListingRequest',
    example: {
      name: 'Tidy',
      blurb: 'Keeps a desk tidy.',
      category: 'Productivity',
      commissionPercent: 30,
      compensationType: 'commission',
      compensationLabel: '30% commission',
      storefrontCount: 12,
    },
  },
  success: { description: 'The listing, which existed.', created: 'The new listing.', schema: 'ListingAnswer' },
  refusals: ['invalid_parameter', 'listing_exists'],
};

export const stateDocs: Readonly<Record<'publish' | 'pause', AdminDocs>> = {
  publish: changeDocs('Show a listing in the public catalog.'),
  pause: changeDocs('Take a listing out of the public catalog.'),
};

export const deleteDocs: AdminDocs = {
  tag: listings,
  summary: 'Delete a listing.',
  description: 'A slug without a listing is no error. Every process shows the change within a second.',
  parameters: [slug],
  success: { description: 'How many listings there were.', schema: 'DeletionAnswer' },
  refusals: ['invalid_parameter'],
};

function changeDocs(summary: string): AdminDocs {
  return {
    tag: listings,
    summary,
    description: 'Every process shows the change within a second. Repeating it changes nothing.',
    parameters: [slug],
    success: { description: 'The listing.', schema: 'ListingAnswer' },
    refusals: ['listing_not_found'],
  };
}
