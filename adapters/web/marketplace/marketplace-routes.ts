import type { Call } from '../../../core/call.ts';
import type { Catalog } from '../../../core/catalog/catalog.port.ts';
import { readListingQuery } from '../../../core/catalog/listing-query.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { foldCase } from '../../../core/catalog/search-text.ts';
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

const wholeCatalog = readListingQuery(() => null);

/** Featured listings that stand before the others. */
const maxFeatured = 3;

/** The number of other listings of the same category on the page of a listing. */
const maxOthers = 3;
/** They are looked for among this many listings with the most storefronts: reading these never waits, as searches may. */
const maxLookedThrough = 2000;

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
        await catalog.loaded(request.call);
        const content = await cache.get(addressOf(browse), async () => {
          const found = await catalog.listingPage(browse.query, request.call);
          const { meta: all } = await catalog.listingPage({ ...wholeCatalog, limit: 0 }, request.call);
          const view = {
            browse,
            found,
            listed: all.total,
            categories: catalog.categories(),
            featured: addressOf(browse) === '/' ? catalog.featured(maxFeatured) : [],
          };
          return new Content('text/html', layout.render(marketplacePage(view, layout, script)));
        });
        return { ...(await content.answer(request, cacheControl())), contentPolicy };
      },
    },
    {
      id: 'showListing',
      method: 'GET',
      path: '/listings/:slug',
      handle: async (request) => {
        await catalog.loaded(request.call);
        const listing = catalog.listing(request.parameters['slug'] ?? '');
        if (listing === null) return { ...refused('listing_not_found', request), contentPolicy };
        const render = async (): Promise<Content> => {
          const others = await othersLike(listing, catalog, request.call);
          return new Content('text/html', layout.render(listingDetailPage(listing, others, layout)));
        };
        const content = await cache.get(listingPath(listing), render);
        return { ...(await content.answer(request, cacheControl())), contentPolicy };
      },
    },
  ];
}

/** Finds other listings of the category of a listing, those with the most storefronts first. */
async function othersLike({ id, category }: Listing, catalog: Catalog, call: Call): Promise<readonly Listing[]> {
  const { listings } = await catalog.listingPage({ ...wholeCatalog, limit: maxLookedThrough }, call);
  const folded = foldCase(category);
  const others: Listing[] = [];
  for (const other of listings) {
    if (other.id !== id && foldCase(other.category) === folded && others.push(other) === maxOthers) break;
  }
  return others;
}
