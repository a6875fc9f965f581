import type { ListingQuery } from '../../core/catalog/listing-query.ts';
import { passesFilters } from '../../core/catalog/query-listings.ts';
import type { CatalogState } from './catalog-state.ts';
import { walkWords } from './word-index.ts';

const slotsPerStep = 4096;

/** The slots of all that a query matches, in its order. */
export function* findSlots(state: CatalogState, query: ListingQuery): Generator<void, Uint32Array> {
  const order = state.orders[query.sort];
  if (query.terms.length === 0 && !hasFilters(query)) return order;
  const matched = query.terms.length === 0 ? null : yield* matchTerms(state, query.terms);
  const found = new Uint32Array(order.length);
  let count = 0;
  for (let position = 0; position < order.length; position += 1) {
    if (position % slotsPerStep === 0) yield;
    const slot = order[position] ?? 0;
    if (matched !== null && matched[slot] !== query.terms.length) continue;
    const entry = state.entries[slot];
    if (entry === undefined || !passesFilters(entry.listing, query)) continue;
    found[count] = slot;
    count += 1;
  }
  return found.slice(0, count);
}

/** How many of the terms, from the first on without a gap, each slot has. */
function* matchTerms(state: CatalogState, terms: readonly string[]): Generator<void, Uint16Array> {
  const { entries, words } = state;
  const size = entries.length;
  const matched = new Uint16Array(size);
  for (const [position, term] of terms.entries()) {
    const mark = (slot: number): void => {
      if (matched[slot] === position) matched[slot] = position + 1;
    };
    yield* walkWords(words, term, (slots) => {
      for (const slot of slots) mark(slot);
    });
    for (let slot = words.size; slot < size; slot += 1) {
      if (entries[slot]?.text.includes(term) === true) mark(slot);
      if (slot % slotsPerStep === 0) yield;
    }
  }
  return matched;
}

function hasFilters({ compensation, category, minCommission, minStorefronts }: ListingQuery): boolean {
  return compensation !== 'all' || category !== null || minCommission !== null || minStorefronts !== null;
}
