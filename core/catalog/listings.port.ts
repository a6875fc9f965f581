import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import { isLive, type Listing, type ListingState } from './listing.ts';

/** A position in the history of the catalog. Only the store that returned it can read it, and no clock is part of it. */
export type Cursor = string;

export interface LoadedCatalog {
  readonly live: readonly Listing[];
  /**
   * `live` may have some changes after this cursor and lack others. Apply `changesSince(cursor)` for one consistent
   * state.
   */
  readonly cursor: Cursor;
}

export type CatalogChanges =
  | {
      readonly kind: 'changes';
      /** The listings that changed and are live, each once, as of `cursor`. */
      readonly changed: readonly Listing[];
      /** The slugs of listings that changed and are not live, whether they ever were or not. */
      readonly removed: readonly string[];
      readonly cursor: Cursor;
    }
  /** The store no longer knows what came after the cursor: load everything. */
  | { readonly kind: 'too old' };

/**
 * A listing to store. Without `publishedAt` (null), a known slug keeps its own, and a new one has the instant of the call.
 * Without `productId` (undefined), a known slug keeps its own, and a new one has none. `storefronts` is not stored: a known
 * slug keeps its own, and a new one has 0.
 */
export type ListingToPut = Omit<Listing, 'publishedAt' | 'productId'> & {
  readonly publishedAt: Date | null;
  readonly productId?: string | null | undefined;
};

/** The members that no two listings may share. */
export interface ListingKeys<Values> {
  readonly slugs: Values;
  readonly ids: Values;
}

/** The listings in the store, with a history for those who keep a copy of the live ones. */
export interface Listings {
  /** Reads every live listing. Other work goes on meanwhile. */
  load(call: Call): Promise<LoadedCatalog>;

  /** Reads every change whose write had returned before this call, and perhaps later ones. Cheap if nothing changed. */
  changesSince(cursor: Cursor, call: Call): Promise<CatalogChanges>;

  /**
   * Stores each listing under its slug, unless another slug has its id. Returns the outcomes in the order of the
   * listings. A known slug keeps its id and its `storefronts`. Each listing is written atomically, the batch is not. Safe to repeat.
   */
  put(listings: readonly ListingToPut[], call: Call): Promise<readonly ('stored' | 'id taken')[]>;

  /**
   * Replaces the listing with the slug of `next`, if it is stored exactly as it was seen. `next` has its id. Where none was
   * seen (null), adds `next`, if no listing has its slug or its id. The `storefronts` of both do not count: a known listing
   * keeps its own, and a new one has 0.
   */
  replace(seen: Listing | null, next: Listing, call: Call): Promise<ReplaceOutcome>;

  /** Returns those of the slugs and ids that listings have, whatever their state. */
  findExisting(keys: ListingKeys<readonly string[]>, call: Call): Promise<ListingKeys<ReadonlySet<string>>>;

  /**
   * Returns `unchanged` if the listing is in that state already. A write that had to be repeated may return `stored`
   * instead.
   */
  setState(slug: string, state: ListingState, call: Call): Promise<'stored' | 'unchanged' | 'not found'>;

  /**
   * Writes how many live promotions a listing has, which counts as a change of the catalog. Returns `unchanged` if it has
   * that number already. A write that had to be repeated may return `stored` instead.
   */
  setStorefronts(slug: string, count: number, call: Call): Promise<'stored' | 'unchanged' | 'not found'>;
}

/**
 * The number of last changes that a store looks through for deletions. A cursor behind them is too old: loading
 * everything costs no more.
 */
export const keptDeletions = 5000;

/**
 * Splits the listings that have changed, each as it is at `cursor`, into those to show and those to remove, as the deleted
 * ones are.
 */
export function changesOf(
  listings: Iterable<Listing>,
  cursor: Cursor,
  deleted: readonly string[] = [],
): CatalogChanges {
  const changed: Listing[] = [];
  const removed = [...deleted];
  for (const listing of listings) {
    if (isLive(listing)) changed.push(listing);
    else removed.push(listing.slug);
  }
  return { kind: 'changes', changed, removed, cursor };
}
