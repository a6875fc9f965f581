import type { ListingQuery } from './listing-query.ts';
import type { Listing } from './listing.ts';
import { foldCase, foldText } from './search-text.ts';

/** Reports whether a listing passes every filter of a query. The search terms are not looked at. */
export function passesFilters(listing: Listing, query: ListingQuery): boolean {
  return (
    (query.compensation === 'all' || listing.compensationType === query.compensation) &&
    (query.minCommission === null || listing.commissionPercent >= query.minCommission) &&
    (query.minStorefronts === null || listing.storefrontCount >= query.minStorefronts) &&
    (query.category === null || foldCase(listing.category) === query.category)
  );
}

/** The fields in which search terms are looked for, folded. */
export function searchedFields({ name, blurb, category, slug }: Listing): readonly string[] {
  return [name, blurb, category, slug].map(foldText);
}
