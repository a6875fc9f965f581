import type { CatalogRenderer } from '../../../core/catalog/catalog.port.ts';
import type { PageMeta } from '../../../core/catalog/listing-page.ts';
import { shownStorefronts, type Listing } from '../../../core/catalog/listing.ts';

/**
 * Renders catalog answers as JSON up to their correlation id (specification 2.2, 2.3), which alone differs from request
 * to request.
 */
export const catalogRenderer: CatalogRenderer = {
  listing: listingJson,
  categories: (categories) => JSON.stringify(categories),
  page: (listings, meta, categories) =>
    `{"success":true,"data":[${listings.join(',')}],"meta":${metaJson(meta)},"categories":${categories}`,
  detail: (listing) => `{"success":true,"data":${listing}`,
};

/** The members of specification 2.1, in its order. */
function listingView(listing: Listing): object {
  return {
    id: listing.id,
    slug: listing.slug,
    name: listing.name,
    blurb: listing.blurb,
    category: listing.category,
    commissionPercent: listing.commissionPercent,
    compensationType: listing.compensationType,
    compensationLabel: listing.compensationLabel,
    featured: listing.featured,
    storefrontCount: shownStorefronts(listing),
  };
}

/** Adds the correlation id to a rendered answer. */
export function catalogBody(text: string, correlationId: string): string {
  return `${text},"correlationId":"${correlationId}"}`;
}

function listingJson(listing: Listing): string {
  return JSON.stringify(listingView(listing));
}

/** The `meta` of specification 2.2. */
function metaJson({ total, offset, limit, hasMore }: PageMeta): string {
  return JSON.stringify({ total, offset, limit, hasMore });
}
