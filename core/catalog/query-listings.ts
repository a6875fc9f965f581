import { compareCodePoints } from '../code-points.ts';
import { distinctCategories, pageMeta, type ListingPage } from './listing-page.ts';
import type { ListingQuery, ListingSort } from './listing-query.ts';
import { isLive, shownStorefronts, type Listing } from './listing.ts';
import { foldCase, foldText } from './search-text.ts';

/**
 * The oracle of the catalog: defines the page of every query, by filtering and sorting an array. Production never calls
 * it, because it reads every listing for every request; the tests hold every index over every store to its answers.
 */
export function queryListings(listings: readonly Listing[], query: ListingQuery): ListingPage {
  const live = listings.filter(isLive);
  const found = live
    .filter((listing) => passesFilters(listing, query) && matchesTerms(listing, query.terms))
    .toSorted(listingOrders[query.sort]);
  return {
    listings: found.slice(query.offset, query.offset + query.limit),
    meta: pageMeta(found.length, query),
    categories: distinctCategories(live.map(({ category }) => category)),
  };
}

/** Reports whether each folded search term occurs in one of the searched fields of a listing. */
export function matchesTerms(listing: Listing, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const fields = searchedFields(listing);
  return terms.every((term) => fields.some((field) => field.includes(term)));
}

/** Reports whether a listing passes every filter of a query. The search terms are not looked at. */
export function passesFilters(listing: Listing, query: ListingQuery): boolean {
  return (
    (query.compensation === 'all' || listing.compensationType === query.compensation) &&
    (query.minCommission === null || listing.commissionPercent >= query.minCommission) &&
    (query.minStorefronts === null || shownStorefronts(listing) >= query.minStorefronts) &&
    (query.category === null || foldCase(listing.category) === query.category)
  );
}

/** The fields in which search terms are looked for, folded. */
export function searchedFields({ name, blurb, category, slug }: Listing): readonly string[] {
  return [name, blurb, category, slug].map(foldText);
}

type Compare = (a: Listing, b: Listing) => number;

/** The order of each sort. Ids are unique, so it is total: no two listings are equal, and pages neither repeat nor skip. */
export const listingOrders: Readonly<Record<ListingSort, Compare>> = {
  charts: (a, b) =>
    shownStorefronts(b) - shownStorefronts(a) ||
    b.commissionPercent - a.commissionPercent ||
    compareCodePoints(a.id, b.id),
  new: (a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || compareCodePoints(a.id, b.id),
  reward: (a, b) =>
    b.commissionPercent - a.commissionPercent ||
    b.upfrontCents - a.upfrontCents ||
    shownStorefronts(b) - shownStorefronts(a) ||
    compareCodePoints(a.id, b.id),
};
