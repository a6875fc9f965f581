import { compareCodePoints } from '../code-points.ts';
import type { ListingSort } from './listing-query.ts';
import type { Listing } from './listing.ts';

type Compare = (a: Listing, b: Listing) => number;

/**
 * The order of each sort. Ids are unique, so it is total: no two listings are equal, and pages neither repeat nor skip.
 */
export const listingOrders: Readonly<Record<ListingSort, Compare>> = {
  charts: (a, b) =>
    b.storefrontCount - a.storefrontCount || b.commissionPercent - a.commissionPercent || compareCodePoints(a.id, b.id),
  new: (a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || compareCodePoints(a.id, b.id),
  reward: (a, b) =>
    b.commissionPercent - a.commissionPercent ||
    b.upfrontCents - a.upfrontCents ||
    b.storefrontCount - a.storefrontCount ||
    compareCodePoints(a.id, b.id),
};
