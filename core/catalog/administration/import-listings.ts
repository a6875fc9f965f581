import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Listing } from '../listing.ts';
import type { Listings } from '../listings.port.ts';
import { PutDryRun } from './put-dry-run.ts';

/** A listing as the administrator gives it, without the members that have a default. */
export type ListingDraft = Omit<Listing, Defaulted> & Partial<Pick<Listing, Defaulted>>;

type Defaulted = 'id' | 'featured' | 'publishedAt' | 'upfrontCents' | 'state';

/** Stores each draft under its slug, and returns the outcomes in the order of the drafts. A known slug keeps its id. */
export type ImportListings = (
  drafts: readonly ListingDraft[],
  call: Call,
) => Promise<readonly ('stored' | 'id taken')[]>;

export function importListings(listings: Pick<Listings, 'put'>, newId: NewId): ImportListings {
  return (drafts, call) =>
    listings.put(
      drafts.map((draft) => completeListing(draft, newId, call.now)),
      call,
    );
}

/** Begins a dry run, which returns the outcomes that an import would have and stores nothing. */
export type DryRunOfListings = () => ImportListings;

export function dryRunOfListings(listings: Listings, newId: NewId): DryRunOfListings {
  return () => importListings(new PutDryRun(listings), newId);
}

/** Makes a listing of a draft, with the defaults for members that are left out. */
export function completeListing(draft: ListingDraft, newId: NewId, now: Date): Listing {
  return {
    ...draft,
    id: draft.id ?? newId(),
    featured: draft.featured ?? false,
    publishedAt: draft.publishedAt ?? now,
    upfrontCents: draft.upfrontCents ?? 0,
    state: draft.state ?? 'live',
  };
}
