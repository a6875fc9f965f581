import type { CatalogRenderer } from '../../core/catalog/catalog.port.ts';
import type { Listing } from '../../core/catalog/listing.ts';
import { searchedFields } from '../../core/catalog/query-listings.ts';

/** A live listing, with what answers need of it, made once. */
export interface Entry {
  readonly listing: Listing;
  readonly rendered: string;
}

const entriesPerStep = 64;

/** Makes the entries of listings, in their order. */
export function* makeEntries(listings: readonly Listing[], renderer: CatalogRenderer): Generator<void, Entry[]> {
  const entries: Entry[] = [];
  const shared = new Map<string, string>();
  for (const listing of listings) {
    const entry = { listing: withSharedTexts(listing, shared), rendered: renderer.listing(listing) };
    if (entries.push(entry) % entriesPerStep === 0) yield;
  }
  return entries;
}

/** The searched fields, folded. A line feed separates them, which no term contains. */
export function searchedText({ listing }: Entry): string {
  return searchedFields(listing).join('\n');
}

/** Replaces texts that many listings have by one copy of each: stores make a new one for every listing. */
function withSharedTexts(listing: Listing, shared: Map<string, string>): Listing {
  const one = <Text extends string>(text: Text): Text => {
    const known = shared.get(text);
    if (known === undefined) shared.set(text, text);
    return (known ?? text) as Text;
  };
  return {
    ...listing,
    category: one(listing.category),
    compensationType: one(listing.compensationType),
    compensationLabel: one(listing.compensationLabel),
    state: one(listing.state),
  };
}
