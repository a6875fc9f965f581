import type { ListingQuery } from '../../core/catalog/listing-query.ts';
import { passesFilters } from '../../core/catalog/query-listings.ts';
import type { CatalogState } from './catalog-state.ts';
import type { SortedIndexes } from './sorted-indexes.ts';
import { walkWords } from './word-index.ts';

const indexesPerStep = 4096;

/** If less than this share of all entries match, sorting their ranks is faster than reading the whole order. */
const sparseShare = 1 / 32;

/** Finds the indexes of all entries that a query matches, in its order. */
export function* findMatches(state: CatalogState, query: ListingQuery): Generator<void, Uint32Array> {
  const order = state.orders[query.sort];
  const matched =
    query.terms.length === 0
      ? order.indexes
      : yield* inOrder(order, yield* matchTerms(state, query), state.entries.length);
  if (!hasFilters(query)) return matched;
  return yield* select(matched, (index) => {
    const entry = state.entries[index];
    return entry !== undefined && passesFilters(entry.listing, query);
  });
}

/** Finds the indexes of the entries that have every term. Some may no longer be live. */
function* matchTerms(
  { entries, words, texts }: CatalogState,
  { terms }: ListingQuery,
): Generator<void, readonly number[]> {
  const size = entries.length;
  // The number of leading terms that each entry has. A search is too short for 256 terms.
  const termsFound = new Uint8Array(size);
  const matched: number[] = [];
  for (const [position, term] of terms.entries()) {
    const onMatch = (index: number): void => {
      if (termsFound[index] !== position) return;
      termsFound[index] = position + 1;
      if (position === terms.length - 1) matched.push(index);
    };
    yield* walkWords(words, term, onMatch);
    for (let index = words.size; index < size; index += 1) {
      if (texts[index - words.size]?.includes(term) === true) onMatch(index);
      if (index % indexesPerStep === 0) yield;
    }
  }
  return matched;
}

/** Sorts indexes, and drops those of entries that are no longer live. */
function* inOrder(order: SortedIndexes, indexes: readonly number[], size: number): Generator<void, Uint32Array> {
  if (indexes.length < order.indexes.length * sparseShare) {
    return order.ranksOf(indexes).map((rank) => order.indexes[rank] ?? 0);
  }
  const isWanted = new Uint8Array(size);
  for (const index of indexes) isWanted[index] = 1;
  return yield* select(order.indexes, (index) => isWanted[index] === 1);
}

/** Picks the indexes that pass, in their order. */
function* select(indexes: Uint32Array, passes: (index: number) => boolean): Generator<void, Uint32Array> {
  const selected = new Uint32Array(indexes.length);
  let count = 0;
  for (const [position, index] of indexes.entries()) {
    if (passes(index)) selected[count++] = index;
    if (position % indexesPerStep === 0) yield;
  }
  return selected.slice(0, count);
}

/** Reports whether a query matches every live listing, so that there is nothing to search for. */
export function isWholeCatalog(query: ListingQuery): boolean {
  return query.terms.length === 0 && !hasFilters(query);
}

function hasFilters({ compensation, category, minCommission, minStorefronts }: ListingQuery): boolean {
  return compensation !== 'all' || category !== null || minCommission !== null || minStorefronts !== null;
}
