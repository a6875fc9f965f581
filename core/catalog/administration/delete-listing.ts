import type { Call } from '../../call.ts';
import type { AllListings } from './all-listings.port.ts';

/** Deletes a listing, on every process within a second. Returns the number deleted: 0 for an unknown slug. */
export type DeleteListing = (slug: string, call: Call) => Promise<0 | 1>;

export function deleteListing(listings: AllListings): DeleteListing {
  return (slug, call) => listings.delete(slug, call);
}
