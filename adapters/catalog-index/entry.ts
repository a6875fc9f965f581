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
    const rendered = renderer.listing(listing);
    const entry = { listing: withSharedTexts(listing, rendered, shared), rendered };
    if (entries.push(entry) % entriesPerStep === 0) yield;
  }
  return entries;
}

/** The searched fields, folded. A line feed separates them, which no term contains. */
export function searchedText({ listing }: Entry): string {
  return searchedFields(listing).join('\n');
}

/**
 * Replaces texts that many listings have by one copy of each, because stores make a new one for every listing, and the
 * blurb, which is the longest, by the part of the rendered listing that is equal to it.
 */
function withSharedTexts(listing: Listing, rendered: string, shared: Map<string, string>): Listing {
  const one = <Text extends string>(text: Text): Text => {
    const known = shared.get(text);
    if (known === undefined) shared.set(text, text);
    return (known ?? text) as Text;
  };
  return {
    ...listing,
    blurb: partOf(rendered, listing.blurb),
    category: one(listing.category),
    compensationType: one(listing.compensationType),
    compensationLabel: one(listing.compensationLabel),
    state: one(listing.state),
    affiliates: one(listing.affiliates),
  };
}

/** Returns the part of `whole` that is equal to a text, for which V8 copies no characters. Without such a part, the text. */
function partOf(whole: string, text: string): string {
  const start = whole.indexOf(text);
  return start === -1 ? text : whole.slice(start, start + text.length);
}
