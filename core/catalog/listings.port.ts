import type { Call, NewCall } from '../call.ts';
import type { Listing, ListingState } from './listing.ts';

/** A place in the history of the catalog. Only the store that gave it can read it; it never comes from a clock. */
export type Cursor = string;

export interface LoadedCatalog {
  readonly live: readonly Listing[];
  /** What came after this cursor may be in `live` or not; with `changesSince(cursor)` applied, it is one state of the catalog. */
  readonly cursor: Cursor;
}

export type CatalogChanges =
  | {
      readonly kind: 'changes';
      /** Live now, each once, as at `cursor`. */
      readonly changed: readonly Listing[];
      /** Slugs of those that are not live (any more), whether they ever were. */
      readonly removed: readonly string[];
      readonly cursor: Cursor;
    }
  /** The store does not know what came after the cursor: load everything. */
  | { readonly kind: 'too old' };

/** What two listings cannot share. */
export interface ListingKeys<Values> {
  readonly slugs: Values;
  readonly ids: Values;
}

export interface Listings {
  /** Everything that is live. Other work goes on while it is read. */
  load(call: Call): Promise<LoadedCatalog>;

  /** Every change whose write had returned before this call, and perhaps later ones. Cheap where there is none. */
  changesSince(cursor: Cursor, call: Call): Promise<CatalogChanges>;

  /**
   * All of them, whatever their state, by slug in code-point order. Other work goes on between two of them; each part that
   * is read has a call of its own.
   */
  list(newCall: NewCall): AsyncIterable<Listing>;

  /**
   * Stores each under its slug, or says that another slug has its id; the outcomes are in the order of the listings.
   * A slug that exists keeps its id. Each is atomic by itself.
   */
  put(listings: readonly Listing[], call: Call): Promise<readonly ('stored' | 'id taken')[]>;

  /** Which of the slugs and of the ids a listing has, whatever its state. */
  findExisting(keys: ListingKeys<readonly string[]>, call: Call): Promise<ListingKeys<ReadonlySet<string>>>;

  /** `unchanged` where the listing is in that state already; where that cannot be known any more, `stored`. */
  setState(slug: string, state: ListingState, call: Call): Promise<'stored' | 'unchanged' | 'not found'>;
}
