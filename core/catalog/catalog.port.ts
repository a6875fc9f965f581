import type { Call } from '../call.ts';
import type { CategoryCount, ListingPage, PageMeta } from './listing-page.ts';
import type { ListingQuery } from './listing-query.ts';
import type { Listing } from './listing.ts';

/**
 * The catalog as the public reads it. Every answer comes from one state of the catalog, without a round trip to the
 * store, and is at most a second old while the store can be reached. Refuses with `store_unavailable` if the catalog could
 * not be loaded, and again once the store has been out of reach for 30 seconds.
 */
export interface Catalog {
  /** Waits while the catalog is loaded for the first time, at most until the deadline. Every request begins with it. */
  loaded(call: Call): Promise<void>;

  page(query: ListingQuery, call: Call): Promise<RenderedAnswer>;

  /** The live listing with this slug, or null. */
  find(slug: string, call: Call): Promise<RenderedAnswer | null>;

  /** The answer to the same query as listings, for adapters that render and keep their answers themselves. */
  listingPage(query: ListingQuery, call: Call): Promise<ListingPage>;

  /** The live listing with this slug, or null. */
  listing(slug: string): Listing | null;

  /** The categories of the live listings, the largest first. */
  categories(): readonly CategoryCount[];

  /** At most `limit` featured listings, those with the most storefronts first, in the order of the charts. */
  featured(limit: number): readonly Listing[];

  /** A number that changes with the catalog: answers of one revision stay the same. Refuses as the answers do. */
  revision(): number;

  /** Reports whether the catalog is at most a second old, so that caches may keep its answers. */
  isFresh(): boolean;
}

/**
 * An answer as text. The port returns text and not listings because the same text is sent many times: a listing is
 * rendered once for each change and stands in many pages, and a page is kept until the catalog changes. A kept page
 * costs a third of one that is found, rendered and hashed again (34 against 104 µs of CPU, bench/README.md). The
 * transport supplies the renderer, so that core knows nothing of JSON.
 */
export interface RenderedAnswer {
  readonly text: string;
  /** A digest of the text. */
  readonly tag: string;
}

/** Renders answers in the words of the transport. Takes and returns the parts from which answers are put together. */
export interface CatalogRenderer {
  listing(listing: Listing): string;
  categories(categories: readonly string[]): string;
  /** `listings` and `categories` are rendered already. */
  page(listings: readonly string[], meta: PageMeta, categories: string): string;
  /** `listing` is rendered already. */
  detail(listing: string): string;
}
