import type { Administration } from '../../../../core/administration/administration.ts';
import { listingStates } from '../../../../core/catalog/listing.ts';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import { refuse } from '../../refusals.ts';
import { listAnswer, type AdminRow } from './admin-operation.ts';
import { adminListingView } from './admin-views.ts';
import { listingBody } from './bodies/admin-bodies.ts';
import { deleteDocs, listDocs, putDocs, stateDocs } from './docs/listing-docs.ts';
import { identifierIn, pageIn, parameterIn } from './query-parameters.ts';

const stateRule = oneOf(listingStates);

const path = '/admin/listings/:slug';

export function listingRows(administration: Administration): readonly AdminRow[] {
  const { listListings, putListing, deleteListing } = administration;
  return [
    {
      id: 'listAllListings',
      method: 'GET',
      path: '/admin/listings',
      access: 'admin:read',
      docs: listDocs,
      answer: async (request) => {
        const page = pageIn(request);
        const state = parameterIn(request, 'state', stateRule);
        return listAnswer(page, await listListings(state, page, request.call), adminListingView);
      },
    },
    {
      id: 'putListing',
      method: 'PUT',
      path,
      access: 'admin:catalog',
      body: 'json',
      docs: putDocs,
      answer: async (request) => {
        const slug = identifierIn(request, 'slug');
        const { listing, outcome } = await putListing({ ...listingBody.read(request.body), slug }, request.call);
        return { status: outcome === 'added' ? 201 : 200, data: adminListingView(listing) };
      },
    },
    stateRow('publish', administration),
    stateRow('pause', administration),
    {
      id: 'deleteListing',
      method: 'DELETE',
      path,
      access: 'admin:catalog',
      docs: deleteDocs,
      answer: async (request) => ({
        data: { deleted: await deleteListing(identifierIn(request, 'slug'), request.call) },
      }),
    },
  ];
}

function stateRow(change: 'publish' | 'pause', administration: Administration): AdminRow {
  const run = change === 'publish' ? administration.publishListing : administration.pauseListing;
  return {
    id: `${change}Listing`,
    method: 'POST',
    path: `${path}/${change}`,
    access: 'admin:catalog',
    docs: stateDocs[change],
    answer: async ({ parameters: { slug = '' }, call }) => {
      await run(slug, call);
      const listing = await administration.findListing(slug, call);
      if (listing === null) throw refuse('listing_not_found'); // deleted meanwhile
      return { data: adminListingView(listing) };
    },
  };
}
