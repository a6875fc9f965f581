import type { Call } from '../../call.ts';
import type { Reach } from '../../reach.ts';
import type { Listing, ListingState } from '../listing.ts';

/** A part of the list of listings. */
export interface ListingPart {
  /** Only listings of these products; null for listings of every product and of none. */
  readonly products: readonly string[] | null;
  /** Null for listings in every state. */
  readonly state: ListingState | null;
  /** The slug of the last listing before the part; null for the first part. */
  readonly after: string | null;
  readonly limit: number;
}

/** The listings in every state, as the administrator sees them. `Listings` stores them. */
export interface AllListings {
  find(slug: string, call: Call): Promise<Listing | null>;

  /** Lists at most `limit` listings after a slug, by slug in code-point order. */
  page(part: ListingPart, call: Call): Promise<readonly Listing[]>;

  /** The distinct categories of listings in every state, of the products or of all, at most `limit`, in code-point order. */
  categories(products: readonly string[] | null, limit: number, call: Call): Promise<readonly string[]>;

  /**
   * Removes a listing, which `Listings.changesSince` then reports, if it is of one of the products; null for any listing.
   * Returns the number removed. Safe to repeat.
   */
  delete(slug: string, products: Reach, call: Call): Promise<0 | 1>;
}
