import type { Call } from '../../call.ts';
import { Refusal } from '../../refusal.ts';
import type { ListingState } from '../listing.ts';
import type { Listings } from '../listings.port.ts';

/**
 * Publishes or pauses a listing, on every process within a second. `unchanged` means that it was in that state already.
 * Refuses with `listing_not_found`.
 */
export type ChangeListingState = (slug: string, call: Call) => Promise<'changed' | 'unchanged'>;

export function publishListing(listings: Listings): ChangeListingState {
  return changeTo('live', listings);
}

export function pauseListing(listings: Listings): ChangeListingState {
  return changeTo('paused', listings);
}

function changeTo(state: ListingState, listings: Listings): ChangeListingState {
  return async (slug, call) => {
    const outcome = await listings.setState(slug, state, call);
    if (outcome === 'not found') throw new Refusal('listing_not_found');
    return outcome === 'stored' ? 'changed' : 'unchanged';
  };
}
