import type { Call, NewCall } from '../../call.ts';
import { cursorAt, textIn } from '../../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import type { Listing, ListingState } from '../listing.ts';
import type { AllListings } from './all-listings.port.ts';

/**
 * Lists listings by slug in code-point order, in every state or in one. Refuses with `invalid_parameter` for a cursor of
 * another list.
 */
export type ListListings = (state: ListingState | null, page: PageRequest, call: Call) => Promise<Page<Listing>>;

export function listListings(listings: AllListings): ListListings {
  return async (state, page, call) => {
    const list = ['listings', state] as const;
    const after = textIn(list, page.after);
    const found = await listings.page({ state, after, limit: page.limit + 1 }, call);
    return pageOf(found, page, ({ slug }) => cursorAt(list, [slug]));
  };
}

/** Walks over every listing, whatever its state, in the order of `ListListings`. */
export type EveryListing = (newCall: NewCall) => AsyncIterable<Listing>;

export function everyListing(listings: AllListings): EveryListing {
  return (newCall) =>
    walk((last, limit, call) => listings.page({ state: null, after: last?.slug ?? null, limit }, call), newCall);
}
