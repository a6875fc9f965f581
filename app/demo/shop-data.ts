import type { Administration } from '../../core/administration/administration.ts';
import type { PriceMapping } from '../../core/billing/price-map.port.ts';
import type { Call } from '../../core/call.ts';
import type { ListingDraft } from '../../core/catalog/administration/import-listings.ts';
import type { AffiliatePolicy } from '../../core/catalog/affiliate-members.ts';
import { plainFacts } from '../../core/product/products.port.ts';
import { holdDays } from './affiliate-history.ts';
import { demoCatalog } from './catalog/catalog.ts';

/** The products that are sold here, by the slugs of their listings, and what their affiliates get. */
const sold: ReadonlyMap<string, { readonly commissionPercent: number; readonly affiliates: AffiliatePolicy }> = new Map(
  [
    ['sketchpad', { commissionPercent: 30, affiliates: 'open' }],
    ['metronome', { commissionPercent: 20, affiliates: 'ask' }],
    ['quiet-editor', { commissionPercent: 25, affiliates: 'open' }],
  ],
);

/** Adds the products, what prices of Stripe sell of them, and the catalog, in which affiliates may promote them. */
export async function addShop(
  administration: Administration,
  { makersUrl, prices }: { readonly makersUrl: string; readonly prices: readonly PriceMapping[] },
  call: Call,
): Promise<void> {
  const listings = demoCatalog(call.now, makersUrl);
  for (const { name, slug } of listings.filter((listing) => sold.has(listing.slug))) {
    const facts = {
      name,
      downloadUrl: `${makersUrl}/download/${slug}`,
      supportUrl: `${makersUrl}/help/${slug}`,
      accountUrl: `${makersUrl}/account/${slug}`,
      iconUrl: `${makersUrl}/icons/${slug}.svg`,
      mailText: 'Open {product}, choose Help, then Enter license, and paste the key.',
      mailEnding: true,
    };
    await administration.putProduct(slug, { ...plainFacts, ...facts }, call);
  }
  for (const mapping of prices) await administration.mapPrice(mapping, call);
  await administration.importListings(
    listings.map((listing) => promotable(listing, makersUrl)),
    call,
  );
}

/** The listing as affiliates may promote it, if its product is sold here. */
function promotable(listing: ListingDraft, makersUrl: string): ListingDraft {
  const { slug } = listing;
  const terms = sold.get(slug);
  if (terms === undefined) return listing;
  return {
    ...listing,
    ...terms,
    compensationType: 'commission',
    compensationLabel: `${terms.commissionPercent}% for a year`,
    upfrontCents: 0,
    commissionFor: 12,
    holdDays,
    featured: true,
    productId: slug,
    saleUrl: `${makersUrl}/buy/${slug}`,
    joinUrl: null,
  };
}
