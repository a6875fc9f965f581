import type { CatalogRenderer } from '../../../core/catalog/catalog.port.ts';
import type { Listing } from '../../../core/catalog/listing.ts';

/**
 * Catalog answers as JSON up to their correlation id (specification 2.2, 2.3): everything but that stays the same
 * from request to request.
 */
export const catalogRenderer: CatalogRenderer = {
  listing: (listing) => JSON.stringify(publicFields(listing)),
  categories: (categories) => JSON.stringify(categories),
  page: (listings, meta, categories) =>
    `{"success":true,"data":[${listings.join(',')}],"meta":${JSON.stringify(meta)},"categories":${categories}`,
  detail: (listing) => `{"success":true,"data":${listing}`,
};

/** Completes an answer of the renderer. */
export function catalogBody(text: string, correlationId: string): string {
  return `${text},"correlationId":"${correlationId}"}`;
}

/** The fields of specification 2.1, in its order. */
function publicFields(listing: Listing): Omit<Listing, 'state' | 'publishedAt' | 'upfrontCents'> {
  const { id, slug, name, blurb, category, commissionPercent } = listing;
  const { compensationType, compensationLabel, featured, storefrontCount } = listing;
  return {
    id,
    slug,
    name,
    blurb,
    category,
    commissionPercent,
    compensationType,
    compensationLabel,
    featured,
    storefrontCount,
  };
}
