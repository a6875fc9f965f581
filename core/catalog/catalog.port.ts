import type { Call } from '../call.ts';
import type { Listing } from './listing.ts';
import type { ListingQuery } from './listing-query.ts';
import type { PageMeta } from './query-listings.ts';

/**
 * The catalog as the public reads it: each answer out of one state of it, and no round trip to the store. It is at most
 * a second old as long as the store can be asked. Without the store it refuses with `store_unavailable`: before anything
 * was loaded, and again 30 seconds after it was last asked.
 */
export interface Catalog {
  page(query: ListingQuery, call: Call): Promise<RenderedAnswer>;

  /** The one live listing of this slug, or null. */
  find(slug: string): Promise<RenderedAnswer | null>;

  /** Whether it is at most a second old, so that others may keep its answers. */
  isFresh(): boolean;
}

/** An answer in the words of whoever renders it. */
export interface RenderedAnswer {
  readonly text: string;
  /** Equal for equal texts, and for practical purposes for no others. */
  readonly tag: string;
}

/** How answers are put into words. A listing is rendered once and stands in many pages. */
export interface CatalogRenderer {
  listing(listing: Listing): string;
  categories(categories: readonly string[]): string;
  page(listings: readonly string[], meta: PageMeta, categories: string): string;
  detail(listing: string): string;
}
