import { passesFilters, searchedFields } from './listing-match.ts';
import { listingOrders } from './listing-order.ts';
import { distinctCategories, pageMeta, type ListingPage } from './listing-page.ts';
import type { ListingQuery } from './listing-query.ts';
import { isLive, type Listing } from './listing.ts';

/**
 * The oracle of the catalog: defines the page of every query, by filtering and sorting an array. Production never calls
 * it, because it reads every listing for every request; the tests hold every index over every store to its answers.
 */
export function queryListings(listings: readonly Listing[], query: ListingQuery): ListingPage {
  const live = listings.filter(isLive);
  const found = live
    .filter((listing) => passesFilters(listing, query) && query.terms.every((term) => occursIn(listing, term)))
    .toSorted(listingOrders[query.sort]);
  return {
    listings: found.slice(query.offset, query.offset + query.limit),
    meta: pageMeta(found.length, query),
    categories: distinctCategories(live.map(({ category }) => category)),
  };
}

function occursIn(listing: Listing, term: string): boolean {
  return searchedFields(listing).some((field) => field.includes(term));
}
