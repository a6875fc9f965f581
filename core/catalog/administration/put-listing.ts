import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import { Refusal } from '../../refusal.ts';
import type { Listing } from '../listing.ts';
import type { Listings } from '../listings.port.ts';
import type { AllListings } from './all-listings.port.ts';
import { completeListing, type ListingDraft } from './import-listings.ts';

/** A listing after it was put, and whether that has changed anything. */
export interface PutListingAnswer {
  readonly listing: Listing;
  readonly outcome: 'added' | 'replaced' | 'unchanged';
}

/**
 * Stores a listing under its slug. A known slug keeps its id and, if the draft has none, the instant of its publication,
 * so that putting a listing again changes nothing. Refuses with `listing_exists` if another slug has the id.
 */
export type PutListing = (draft: ListingDraft, call: Call) => Promise<PutListingAnswer>;

export function putListing(listings: Listings, allListings: AllListings, newId: NewId): PutListing {
  return async (draft, call) => {
    const known = await allListings.find(draft.slug, call);
    const wanted = completeListing(draft, newId, call.now);
    if (known !== null && isSame(known, kept(wanted, draft, known))) return { listing: known, outcome: 'unchanged' };
    const { publishedAt = null } = draft;
    const [outcome] = await listings.put([{ ...wanted, publishedAt }], call);
    if (outcome === 'id taken') throw new Refusal('listing_exists');
    const stored = await allListings.find(draft.slug, call);
    return { listing: stored ?? wanted, outcome: known === null ? 'added' : 'replaced' };
  };
}

/** The listing that is stored over a known one. */
function kept(wanted: Listing, draft: ListingDraft, { id, publishedAt }: Listing): Listing {
  return { ...wanted, id, publishedAt: draft.publishedAt ?? publishedAt };
}

function isSame(a: Listing, b: Listing): boolean {
  const others = new Map<string, unknown>(Object.entries(b));
  return Object.entries(a).every(([member, value]: readonly [string, unknown]) => {
    const other = others.get(member);
    return value instanceof Date && other instanceof Date ? value.getTime() === other.getTime() : value === other;
  });
}

/** Deletes a listing, on every process within a second. Returns the number deleted: 0 for an unknown slug. */
export type DeleteListing = (slug: string, call: Call) => Promise<0 | 1>;

export function deleteListing(listings: AllListings): DeleteListing {
  return (slug, call) => listings.delete(slug, call);
}
