import { compareCodePoints } from '../code-points.ts';
import { isLive, type Listing } from './listing.ts';
import { listingOrders } from './listing-order.ts';
import type { ListingQuery } from './listing-query.ts';
import { foldCase, foldText } from './search-text.ts';

export interface PageMeta {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

export interface ListingPage {
  readonly listings: readonly Listing[];
  readonly meta: PageMeta;
  /** Of all live listings, whatever was asked for. */
  readonly categories: readonly string[];
}

/** The page that a query asks for: what every index over every store must answer. */
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

export function pageMeta(total: number, { offset, limit }: ListingQuery): PageMeta {
  return { total, offset, limit, hasMore: offset + limit < total };
}

/** Whether a listing passes every filter but the search. */
export function passesFilters(listing: Listing, query: ListingQuery): boolean {
  return (
    (query.compensation === 'all' || listing.compensationType === query.compensation) &&
    (query.minCommission === null || listing.commissionPercent >= query.minCommission) &&
    (query.minStorefronts === null || listing.storefrontCount >= query.minStorefronts) &&
    (query.category === null || foldCase(listing.category) === query.category)
  );
}

/** The fields that a search looks at, folded. */
export function searchedFields({ name, blurb, category, slug }: Listing): readonly string[] {
  return [name, blurb, category, slug].map(foldText);
}

/** By code point; of those that differ in case only, the first. */
export function distinctCategories(categories: Iterable<string>): readonly string[] {
  const first = new Map<string, string>();
  for (const category of [...new Set(categories)].toSorted(compareCodePoints)) {
    const key = foldCase(category);
    if (!first.has(key)) first.set(key, category);
  }
  return [...first.values()];
}

function occursIn(listing: Listing, term: string): boolean {
  return searchedFields(listing).some((field) => field.includes(term));
}
