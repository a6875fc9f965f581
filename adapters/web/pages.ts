import type { Catalog } from '../../core/catalog/catalog.port.ts';
import { marketplaceRoutes } from './marketplace/marketplace-routes.ts';
import { contentPolicyFor, Layout } from './markup/layout.ts';
import { refusalPage, refuseWith, type RefusalToShow } from './markup/refused.ts';
import { assetRoute, createAssets } from './page/assets.ts';
import type { PageAnswer, PageRoute } from './page/page.ts';
import type { Site } from './page/site.ts';
import { createReference, referenceRoute } from './reference/reference-route.ts';
import { searchEngineRoutes } from './search-engines/search-engine-routes.ts';
import { maxAddresses } from './search-engines/sitemap.ts';
import { waitlistRoutes, type JoinByForm } from './waitlist/waitlist-routes.ts';

export interface PagesSettings {
  readonly catalog: Catalog;
  readonly join: JoinByForm;
  readonly site: Site;
  /** The absolute URL of the service. Called when a request needs it. */
  readonly baseUrl: () => string;
  /** The path of that URL, without a slash at its end. */
  readonly basePath: string;
  /** How long caches may keep pages that show the catalog, in milliseconds. */
  readonly maxAge: number;
  /** The maximum number of addresses in one sitemap. */
  readonly addressesPerSitemap?: number;
}

export interface Pages {
  readonly routes: readonly PageRoute[];
  /** Renders a refusal of the transport. */
  readonly refusal: (refusal: RefusalToShow) => Omit<PageAnswer, 'status'> & { readonly content: string };
}

/** Seconds for which a cache may serve a stale page while it asks for a new one. */
const staleWhileRevalidate = 30;

/** Creates all pages of a site. */
export function createPages(settings: PagesSettings): Pages {
  const { catalog, site, baseUrl, basePath, join, addressesPerSitemap = maxAddresses } = settings;
  const assets = createAssets(site);
  const layout = new Layout({ site, baseUrl, basePath, assets });
  const refused = refuseWith(layout);
  const contentPolicy = contentPolicyFor(site);
  const cacheControl = `public, max-age=${Math.floor(settings.maxAge / 1000)}, stale-while-revalidate=${staleWhileRevalidate}`;
  const ofCatalog = (): string => (catalog.isFresh() ? cacheControl : 'no-store');
  const reference = createReference();
  const script = assets.script.path;
  return {
    routes: [
      ...marketplaceRoutes({ catalog, layout, script, refused, cacheControl: ofCatalog, contentPolicy }),
      ...waitlistRoutes({ join, layout, baseUrl, refused, cacheControl, contentPolicy }),
      referenceRoute(reference, layout, { cacheControl, contentPolicy }),
      ...searchEngineRoutes({
        catalog,
        url: (path) => layout.url(path),
        href: (path) => layout.href(path),
        maxAddresses: addressesPerSitemap,
        refused,
        cacheControl: ofCatalog,
      }),
      assetRoute([...Object.values(assets), ...reference.assets], refused),
    ],
    refusal: (refusal) => ({ ...refusalPage(layout, refusal), contentPolicy }),
  };
}
