import type { CatalogRenderer } from '../../core/catalog/catalog.port.ts';
import type { Listing } from '../../core/catalog/listing.ts';
import { searchedFields } from '../../core/catalog/listing-match.ts';

/** A live listing, with what answers and searches need of it, made once. */
export interface Entry {
  readonly listing: Listing;
  readonly rendered: string;
  /** The searched fields, folded. A line feed separates them, which no term contains. */
  readonly text: string;
}

const entriesPerStep = 64;

/** Makes the entries of listings, in their order. */
export function* makeEntries(listings: readonly Listing[], renderer: CatalogRenderer): Generator<void, Entry[]> {
  const entries: Entry[] = [];
  for (const listing of listings) {
    if (entries.push(makeEntry(listing, renderer)) % entriesPerStep === 0) yield;
  }
  return entries;
}

function makeEntry(listing: Listing, renderer: CatalogRenderer): Entry {
  return { listing, rendered: renderer.listing(listing), text: searchedFields(listing).join('\n') };
}
