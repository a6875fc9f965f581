import type { Call } from '../call.ts';
import type { NewId } from '../identifier.ts';
import type { Listing } from './listing.ts';
import type { Listings } from './listings.port.ts';
import { PutDryRun } from './put-dry-run.ts';

/** A listing as an administrator writes it down; what is left out has a default. */
export type ListingDraft = Omit<Listing, Defaulted> & Partial<Pick<Listing, Defaulted>>;

type Defaulted = 'id' | 'featured' | 'publishedAt' | 'upfrontCents' | 'state';

/** Stores each draft under its slug; the outcomes are in the order of the drafts. A slug that exists keeps its id. */
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

/** Begins a dry run: the import into a `PutDryRun`, which says of all its drafts what an import would. */
export type DryRunOfListings = () => ImportListings;

export function dryRunOfListings(listings: Listings, newId: NewId): DryRunOfListings {
  return () => importListings(new PutDryRun(listings), newId);
}

function completeListing(draft: ListingDraft, newId: NewId, now: Date): Listing {
  return {
    ...draft,
    id: draft.id ?? newId(),
    featured: draft.featured ?? false,
    publishedAt: draft.publishedAt ?? now,
    upfrontCents: draft.upfrontCents ?? 0,
    state: draft.state ?? 'live',
  };
}
