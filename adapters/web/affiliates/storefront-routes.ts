import { handleRule } from '../../../core/affiliate/affiliate.ts';
import type { FollowSaleLink } from '../../../core/affiliate/sale-link.ts';
import type { ReadStorefront } from '../../../core/affiliate/storefront.ts';
import type { BuyerRoute } from '../buyers/license-routes.ts';
import { Content } from '../page/content.ts';
import { noStore, type PageAnswer, type PageRequest } from '../page/page.ts';
import type { AffiliateParts } from './parts.ts';
import { storefrontPage, storefrontPath } from './storefront-page.ts';

/** `/@{handle}`: the storefront of an affiliate. Another case of the handle leads there. */
export function storefrontRoutes(parts: AffiliateParts, read: ReadStorefront): readonly BuyerRoute[] {
  const { catalog, layout, refused, listedPolicy: contentPolicy, cacheControl } = parts;
  const notFound = (request: PageRequest): PageAnswer => ({ ...refused('not_found', request), contentPolicy });
  return [
    {
      id: 'showStorefront',
      method: 'GET',
      path: storefrontPath(':handle'),
      handle: async (request) => {
        const { handle = '' } = request.parameters;
        const folded = handle.toLowerCase();
        if (folded !== handle && handleRule.parse(folded) !== null) {
          const headers = ['Location', layout.href(storefrontPath(folded))];
          return { status: 301, content: null, cacheControl: cacheControl(), headers };
        }
        await catalog.loaded(request.call);
        const storefront = await read(handle, (slug) => catalog.listing(slug), request.call);
        if (storefront === null) return notFound(request);
        const content = new Content('text/html', layout.render(storefrontPage(storefront, layout)));
        return { ...(await content.answer(request, cacheControl())), contentPolicy };
      },
    },
  ];
}

/** `/go/{handle}/{slug}`: leads to where a listing is sold. Nothing is kept, counted or set. */
export function saleLinkRoutes(parts: AffiliateParts, follow: FollowSaleLink): readonly BuyerRoute[] {
  const { catalog, refused, contentPolicy } = parts;
  return [
    {
      id: 'followSaleLink',
      method: 'GET',
      path: '/go/:handle/:slug',
      handle: async (request) => {
        const { call, parameters } = request;
        await catalog.loaded(call);
        const { handle = '', slug = '' } = parameters;
        // In any case, as the storefront: a sale must not be lost by how somebody has typed the link.
        const address = await follow(handle.toLowerCase(), catalog.listing(slug), call);
        if (address === null) return { ...refused('listing_not_found', request), contentPolicy };
        return { status: 302, content: null, cacheControl: noStore, headers: ['Location', address] };
      },
    },
  ];
}
