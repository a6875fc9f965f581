import type { Catalog } from '../../../core/catalog/catalog.port.ts';
import type { Layout } from '../markup/layout.ts';
import { Content } from '../page/content.ts';
import type { PageRoute, Refused } from '../page/page.ts';
import { RevisionCache } from '../page/revision-cache.ts';
import { addressOf, readBrowse } from './browse-query.ts';
import { listingPath } from './listing-cards.ts';
import { listingDetailPage } from './listing-page.ts';
import { marketplacePage } from './marketplace-page.ts';

export interface MarketplaceSettings {
  readonly catalog: Catalog;
  readonly layout: Layout;
  /** The path of the script that filters without reloading the page. */
  readonly script: string;
  readonly refused: Refused;
  /** The `Cache-Control` of pages that show the catalog. */
  readonly cacheControl: () => string;
  readonly contentPolicy: string;
}

/** The marketplace: `/` and `/listings/{slug}`. Rendered pages are kept until the catalog changes. */
export function marketplaceRoutes(settings: MarketplaceSettings): readonly PageRoute[] {
  const { catalog, layout, script, refused, cacheControl, contentPolicy } = settings;
  const cache = new RevisionCache(() => catalog.revision());
  return [
    {
      id: 'showMarketplace',
      method: 'GET',
      path: '/',
      handle: async (request) => {
        const browse = readBrowse(request.query);
        const content = await cache.get(addressOf(browse), async () => {
          const found = await catalog.listingPage(browse.query, request.call);
          return new Content('text/html', layout.render(marketplacePage(browse, found, layout, script)));
        });
        return { ...(await content.answer(request, cacheControl())), contentPolicy };
      },
    },
    {
      id: 'showListing',
      method: 'GET',
      path: '/listings/:slug',
      handle: async (request) => {
        const listing = catalog.listing(request.parameters['slug'] ?? '');
        if (listing === null) return { ...refused('listing_not_found', request), contentPolicy };
        const render = async (): Promise<Content> =>
          new Content('text/html', layout.render(listingDetailPage(listing, layout)));
        const content = await cache.get(listingPath(listing), render);
        return { ...(await content.answer(request, cacheControl())), contentPolicy };
      },
    },
  ];
}
