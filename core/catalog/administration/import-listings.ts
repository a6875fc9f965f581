import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Listing } from '../listing.ts';
import type { Listings, ListingToPut } from '../listings.port.ts';
import { noPageMembers, type PageMembers } from '../page-members.ts';

/** A listing as the administrator gives it, without the members that have a default. */
export type ListingDraft = Omit<Listing, Defaulted> & Partial<Pick<Listing, Defaulted>>;

type Defaulted = 'id' | 'featured' | 'publishedAt' | 'upfrontCents' | 'state' | keyof PageMembers;

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
    ...noPageMembers,
    ...draft,
    id: draft.id ?? newId(),
    featured: draft.featured ?? false,
    publishedAt: draft.publishedAt ?? now,
    upfrontCents: draft.upfrontCents ?? 0,
    state: draft.state ?? 'live',
  };
}

/**
 * Returns the outcomes that `Listings.put` would have, and stores nothing. It remembers the slugs and ids that it would
 * have stored, so that later batches conflict with them: use one for each import.
 */
class PutDryRun implements Pick<Listings, 'put'> {
  readonly #listings: Pick<Listings, 'findExisting'>;
  readonly #slugs = new Set<string>();
  readonly #ids = new Set<string>();

  constructor(listings: Pick<Listings, 'findExisting'>) {
    this.#listings = listings;
  }

  async put(listings: readonly ListingToPut[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    const keys = { slugs: listings.map(({ slug }) => slug), ids: listings.map(({ id }) => id) };
    const stored = await this.#listings.findExisting(keys, call);
    return listings.map(({ slug, id }) => {
      // A slug that exists keeps its id.
      if (stored.slugs.has(slug) || this.#slugs.has(slug)) return 'stored';
      if (stored.ids.has(id) || this.#ids.has(id)) return 'id taken';
      this.#slugs.add(slug);
      this.#ids.add(id);
      return 'stored';
    });
  }
}
