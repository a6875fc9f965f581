import { isPromotable } from '../../../core/affiliate/storefront.ts';
import type { Call } from '../../../core/call.ts';
import type { Catalog } from '../../../core/catalog/catalog.port.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { BuyerRoute } from '../buyers/license-routes.ts';
import { answerAddress, unlisted, type LostKeysPages } from '../lost/lost-routes.ts';
import type { Page } from '../markup/layout.ts';
import type { PageAnswer } from '../page/page.ts';
import { askPage, askPath, sentPage, sentPath, type Asking } from './ask-pages.ts';
import { answerPage, type AffiliateParts } from './parts.ts';

/** `/affiliates`: mails an affiliate the link to the own page. Its answers are alike for known and unknown addresses. */
export function askRoutes(parts: AffiliateParts, mails: LostKeysPages | null): readonly BuyerRoute[] {
  const { catalog, layout, baseUrl, refused, contentPolicy } = parts;
  const answer = (page: Page, status?: number, error?: PageAnswer['error']): PageAnswer => ({
    ...answerPage(parts, page, status, error),
    headers: unlisted,
  });
  const asking = (listing: Listing | null, wrong: string | null): Asking => ({
    isMailed: mails !== null,
    listing,
    wrong,
  });
  const show: BuyerRoute = {
    id: 'askForAffiliate',
    method: 'GET',
    path: askPath,
    handle: async ({ query, call }) => {
      const listing = await promoted(catalog, new URLSearchParams(query).get('listing'), call);
      return answer(askPage(layout, asking(listing, null)));
    },
  };
  if (mails === null) return [show];
  return [
    show,
    {
      id: 'showLinkSent',
      method: 'GET',
      path: sentPath,
      handle: async () => answer(sentPage(layout, mails.from)),
    },
    {
      id: 'mailAffiliateLink',
      method: 'POST',
      path: askPath,
      handle: async (request) => {
        const listing = await promoted(catalog, request.form.get('listing'), request.call);
        return answerAddress(request, {
          what: 'affiliate link',
          ask: mails.ask,
          baseUrl: baseUrl(),
          location: layout.href(sentPath),
          foreign: () => ({ ...refused('foreign_origin', request), contentPolicy }),
          wrong: (typed) => answer(askPage(layout, asking(listing, typed)), 400, 'invalid_email'),
          listing: listing?.slug ?? null,
        });
      },
    },
  ];
}

/** The listing that an affiliate came from; null for one that nobody may promote. */
async function promoted(catalog: Catalog, slug: string | null, call: Call): Promise<Listing | null> {
  if (slug === null) return null;
  await catalog.loaded(call);
  const listing = catalog.listing(slug);
  return listing !== null && isPromotable(listing) ? listing : null;
}
