import type { Call, NewCall } from '../../call.ts';
import { cursorAt, textIn, type ListName } from '../../paging/cursor.ts';
import { examinedPage } from '../../paging/examined-page.ts';
import type { Page, PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import { distinctCategories } from '../listing-page.ts';
import type { Listing, ListingState } from '../listing.ts';
import { matchesTerms } from '../query-listings.ts';
import { foldCase, searchTerms } from '../search-text.ts';
import type { AllListings } from './all-listings.port.ts';

/** The conditions of a list. A condition that is null, or a blank search, holds for every listing. */
export interface ListingFilter {
  readonly state: ListingState | null;
  /** Each of its terms must occur in the name, the blurb, the category or the slug, as in the public catalog. */
  readonly search: string | null;
  /** In any case. */
  readonly category: string | null;
}

/**
 * Lists listings by slug in code-point order. Looks at no more than 2,000 for one page: a page of a search or of a category
 * may have fewer than `limit`, even none, and still a next one. Refuses with `invalid_parameter` for a cursor of another
 * list.
 */
export type ListListings = (filter: ListingFilter, page: PageRequest, call: Call) => Promise<Page<Listing>>;

export function listListings(listings: AllListings): ListListings {
  return async (filter, { after, limit }, call) => {
    const list = listOf(filter);
    const passes = passing(filter);
    const start = textIn(list, after);
    const { items, last } = await examinedPage<Listing, Listing>({
      limit,
      showsAll: filter.search === null && filter.category === null,
      read: (from, size) =>
        listings.page({ products: null, state: filter.state, after: from?.slug ?? start, limit: size }, call),
      show: (listing) => (passes(listing) ? listing : null),
    });
    return { items, next: last === null ? null : cursorAt(list, [last.slug]) };
  };
}

/** Walks over the listings of a filter in the order of `ListListings`. */
export type EveryListing = (filter: ListingFilter, newCall: NewCall) => AsyncIterable<Listing>;

export function everyListing(listings: AllListings): EveryListing {
  return async function* every(filter, newCall) {
    const { state } = filter;
    const passes = passing(filter);
    const all = walk<Listing>(
      (last, limit, call) => listings.page({ products: null, state, after: last?.slug ?? null, limit }, call),
      newCall,
    );
    for await (const listing of all) if (passes(listing)) yield listing;
  };
}

/** The most categories that can be chosen from. */
const maxCategories = 1000;

/** Lists the categories of listings in every state, as the public catalog names them. */
export type ListCategories = (call: Call) => Promise<readonly string[]>;

export function listCategories(listings: AllListings): ListCategories {
  return async (call) => distinctCategories(await listings.categories(null, maxCategories, call));
}

function passing({ search, category }: ListingFilter): (listing: Listing) => boolean {
  const terms = searchTerms(search ?? '');
  const folded = category === null ? null : foldCase(category);
  return (listing) => (folded === null || foldCase(listing.category) === folded) && matchesTerms(listing, terms);
}

function listOf({ state, search, category }: ListingFilter): ListName {
  // A walk that began before an upgrade goes on.
  return search === null && category === null ? ['listings', state] : ['found listings', state, search, category];
}
