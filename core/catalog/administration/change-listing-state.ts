import type { Call } from '../../call.ts';
import { Refusal } from '../../refusal.ts';
import { isSameListing, type Listing, type ListingState } from '../listing.ts';
import type { Listings } from '../listings.port.ts';
import type { AllListings } from './all-listings.port.ts';

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

/**
 * Publishes a listing exactly as somebody has seen it, so that nobody publishes a text that was changed after the review.
 * `unchanged` means that it is so already. Refuses with `changed_meanwhile` if there is anything else by now.
 */
export type PublishSeenListing = (seen: Listing, call: Call) => Promise<'changed' | 'unchanged'>;

export function publishSeenListing(
  listings: Pick<Listings, 'replace'>,
  allListings: Pick<AllListings, 'find'>,
): PublishSeenListing {
  return async (seen, call) => {
    if (seen.state === 'live') return 'unchanged';
    const next: Listing = { ...seen, state: 'live' };
    const { kind } = await listings.replace(seen, next, call);
    if (kind === 'replaced') return 'changed';
    if (isSameListing(await allListings.find(seen.slug, call), next)) return 'unchanged';
    throw new Refusal('changed_meanwhile');
  };
}
