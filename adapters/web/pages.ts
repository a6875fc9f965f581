import type { Catalog } from '../../core/catalog/catalog.port.ts';
import { affiliateRoutes, type AffiliateRoutes, type AffiliateUseCases } from './affiliates/affiliate-routes.ts';
import { licenseRoutes, type BuyerRoute, type BuyersParts, type LicenseUseCases } from './buyers/license-routes.ts';
import { linkRoutes, type LinkUseCases } from './buyers/link-routes.ts';
import type { BuyersSite } from './buyers/parts.ts';
import { buyersRefusalPage } from './buyers/refusal-page.ts';
import { claimPage, claimPath, type ClaimToShow } from './claim/claim-page.ts';
import { claimRefusal } from './claim/claim-refusal.ts';
import { lostRoutes, type LostKeysPages } from './lost/lost-routes.ts';
import { marketplaceRoutes } from './marketplace/marketplace-routes.ts';
import type { BuyerTexts } from './markup/buyer-texts.ts';
import { contentPolicyFor, Layout, licensePath, policyWithoutScripts, type Page } from './markup/layout.ts';
import { refusalAnswer, refusalPage, refuseWith, type RefusalToShow } from './markup/refused.ts';
import { Words } from './markup/words.ts';
import { assetRoute, createAssets, type Assets } from './page/assets.ts';
import { noStore, type PageAnswer, type PageRoute, type Refused, type Site } from './page/page.ts';
import { createReference, referenceRoute } from './reference/reference-route.ts';
import { closedRobotsRoute, searchEngineRoutes } from './search-engines/search-engine-routes.ts';
import { maxAddresses } from './search-engines/sitemap.ts';
import { waitlistRoutes, type JoinByForm } from './waitlist/waitlist-routes.ts';

export interface PagesSettings {
  readonly catalog: Catalog;
  readonly join: JoinByForm;
  readonly site: Site;
  /** The language of the pages for buyers, and their texts. */
  readonly language: string;
  readonly texts: BuyerTexts;
  /** The absolute URL of the service. Called when a request needs it. */
  readonly baseUrl: () => string;
  /** The path of that URL, without a slash at its end. */
  readonly basePath: string;
  /** Whether there are pages for buyers only. */
  readonly isForBuyers: boolean;
  /** The use cases of the pages of a license; null without such pages. */
  readonly licenses: (LicenseUseCases & LinkUseCases) | null;
  /** The use cases of the page for lost keys; null on a server without that page. */
  readonly lostKeys: LostKeysPages | null;
  /** The use cases of the pages of affiliates; null on a server without a marketplace. */
  readonly affiliates: AffiliateUseCases | null;
  /** The `Cache-Control` of pages that caches may keep. Pages of a catalog that is not fresh are never kept. */
  readonly cacheControl: string;
  /** The maximum number of addresses in one sitemap. */
  readonly addressesPerSitemap?: number;
}

interface RenderedPage {
  readonly content: string;
  readonly contentType: string;
  readonly contentPolicy: string;
}

/** The pages for buyers who come from a checkout. */
export interface BuyerPages {
  /** Renders the page that a buyer is shown after a purchase. */
  readonly claim: (claim: ClaimToShow, now: Date) => RenderedPage;
}

export interface Pages extends BuyerPages {
  readonly routes: readonly PageRoute[];
  /** The pages of a license, whose addresses and forms hold secrets. */
  readonly licenseRoutes: readonly BuyerRoute[];
  /** The pages for lost keys. */
  readonly lostRoutes: readonly BuyerRoute[];
  readonly affiliateRoutes: AffiliateRoutes;
  /** Renders a refusal of the transport. */
  readonly refusal: (refusal: RefusalToShow) => Omit<PageAnswer, 'status'> & { readonly content: string };
}

/** Creates all pages of a site, or those for buyers alone. */
export function createPages(settings: PagesSettings): Pages {
  const { site, baseUrl, basePath, isForBuyers, licenses, lostKeys } = settings;
  const words = new Words(settings.texts, settings.language);
  const assets = createAssets(site);
  const hasLicensePage = licenses !== null;
  const mailsLostKeys = lostKeys !== null;
  const layout = new Layout({ site, baseUrl, basePath, assets, isForBuyers, hasLicensePage, mailsLostKeys, words });
  const contentPolicy = contentPolicyFor(site);
  const { name, help, imageHosts } = site;
  const ofBuyers: BuyersSite = { words, href: (path) => layout.href(path), help, name, imageHosts, mailsLostKeys };
  const buyers: BuyersParts = { layout, contentPolicy: policyWithoutScripts(contentPolicy), site: ofBuyers };
  const buyersRefusal = (refusal: RefusalToShow): Page => buyersRefusalPage(ofBuyers, refusal, hasLicensePage);
  return {
    routes: isForBuyers
      ? buyerRoutes(settings, assets, refuseWith(layout, buyersRefusal))
      : siteRoutes(settings, layout, assets),
    licenseRoutes: licenses === null ? [] : [...licenseRoutes(buyers, licenses), ...linkRoutes(buyers, licenses)],
    lostRoutes: lostKeys === null ? [] : lostRoutes(buyers, lostKeys, baseUrl),
    affiliateRoutes: routesOfAffiliates(settings, layout),
    claim: (claim, now) => ({
      content: layout.render(claimPage(ofBuyers, claim, now)),
      contentType: 'text/html; charset=utf-8',
      contentPolicy,
    }),
    refusal: (refusal) => {
      const { asked, path } = refusal;
      if (asked === claimPath) return { ...refusalAnswer(layout, claimRefusal(ofBuyers, refusal)), contentPolicy };
      if (!isForBuyers && !(hasLicensePage && isOfBuyers(path))) {
        return { ...refusalAnswer(layout, refusalPage(layout, refusal)), contentPolicy };
      }
      return { ...refusalAnswer(layout, buyersRefusal(refusal)), contentPolicy: buyers.contentPolicy };
    },
  };
}

/** Whether a path looks like that of a page for buyers: they type it in another case, or with a slash at its end. */
function isOfBuyers(path: string | null): boolean {
  const [, first = ''] = path?.toLowerCase().split('/') ?? [];
  return [licensePath, claimPath].includes(`/${first}`);
}

/** The routes that pages for buyers need: their assets, and the rules for search engines. */
function buyerRoutes({ cacheControl }: PagesSettings, assets: Assets, refused: Refused): readonly PageRoute[] {
  return [closedRobotsRoute(cacheControl), assetRoute(Object.values(assets), refused)];
}

function routesOfAffiliates(settings: PagesSettings, layout: Layout): AffiliateRoutes {
  const { affiliates, baseUrl, site, catalog } = settings;
  if (affiliates === null) return { ofEverybody: [], hidden: [] };
  const parts = {
    catalog,
    layout,
    baseUrl,
    refused: refuseWith(layout, (refusal) => refusalPage(layout, refusal)),
    contentPolicy: policyWithoutScripts(contentPolicyFor(site)),
    listedPolicy: contentPolicyFor(site),
    cacheControl: cacheControlOf(settings),
  };
  return affiliateRoutes(parts, affiliates);
}

/** The `Cache-Control` of pages that show the catalog. */
function cacheControlOf({ catalog, cacheControl }: PagesSettings): () => string {
  return () => (catalog.isFresh() ? cacheControl : noStore);
}

function siteRoutes(settings: PagesSettings, layout: Layout, assets: Assets): readonly PageRoute[] {
  const { affiliates, catalog, site, baseUrl, join, cacheControl, addressesPerSitemap = maxAddresses } = settings;
  const refused = refuseWith(layout, (refusal) => refusalPage(layout, refusal));
  const contentPolicy = contentPolicyFor(site);
  const ofCatalog = cacheControlOf(settings);
  const reference = createReference();
  const script = assets.script.path;
  return [
    ...marketplaceRoutes({ catalog, layout, script, refused, cacheControl: ofCatalog, contentPolicy }),
    ...waitlistRoutes({ join, layout, baseUrl, refused, cacheControl, contentPolicy }),
    referenceRoute(reference, layout, { cacheControl, contentPolicy }),
    ...searchEngineRoutes({
      catalog,
      url: (path) => layout.url(path),
      href: (path) => layout.href(path),
      maxAddresses: addressesPerSitemap,
      storefronts: async (call) =>
        (await affiliates?.listStorefronts(
          (slug) => catalog.listing(slug),
          () => call,
        )) ?? [],
      refused,
      cacheControl: ofCatalog,
    }),
    assetRoute([...Object.values(assets), ...reference.assets], refused),
  ];
}
