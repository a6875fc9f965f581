import type { ListingQuery } from '../../core/catalog/listing-query.ts';
import { passesFilters } from '../../core/catalog/listing-match.ts';
import type { CatalogState } from './catalog-state.ts';
import type { SlotOrder } from './listing-positions.ts';
import { walkWords } from './word-index.ts';

const slotsPerStep = 4096;

/** Where fewer than this share of all match, they are sorted by their places; else the whole order is read. */
const few = 1 / 32;

/** The slots of all that a query matches, in its order. */
export function* findSlots(state: CatalogState, query: ListingQuery): Generator<void, Uint32Array> {
  const order = state.orders[query.sort];
  const matched =
    query.terms.length === 0
      ? order.slots
      : yield* inOrder(order, yield* matchTerms(state, query), state.entries.length);
  if (!hasFilters(query)) return matched;
  return yield* select(matched, (slot) => {
    const entry = state.entries[slot];
    return entry !== undefined && passesFilters(entry.listing, query);
  });
}

/** The slots that have every term, those of listings that are not live any more among them. */
function* matchTerms({ entries, words }: CatalogState, { terms }: ListingQuery): Generator<void, readonly number[]> {
  const size = entries.length;
  const termsOf = new Uint8Array(size); // from the first on, without a gap; a search is too short for 256
  const matched: number[] = [];
  for (const [position, term] of terms.entries()) {
    const mark = (slot: number): void => {
      if (termsOf[slot] !== position) return;
      termsOf[slot] = position + 1;
      if (position === terms.length - 1) matched.push(slot);
    };
    yield* walkWords(words, term, mark);
    for (let slot = words.size; slot < size; slot += 1) {
      if (entries[slot]?.text.includes(term) === true) mark(slot);
      if (slot % slotsPerStep === 0) yield;
    }
  }
  return matched;
}

/** Those of the slots that are live, in order. */
function* inOrder(order: SlotOrder, slots: readonly number[], size: number): Generator<void, Uint32Array> {
  if (slots.length < order.slots.length * few) {
    return order.placesOf(slots).map((place) => order.slots[place] ?? 0);
  }
  const wanted = new Uint8Array(size);
  for (const slot of slots) wanted[slot] = 1;
  return yield* select(order.slots, (slot) => wanted[slot] === 1);
}

/** The slots that pass, in the same order. */
function* select(slots: Uint32Array, passes: (slot: number) => boolean): Generator<void, Uint32Array> {
  const selected = new Uint32Array(slots.length);
  let count = 0;
  for (const [position, slot] of slots.entries()) {
    if (passes(slot)) selected[count++] = slot;
    if (position % slotsPerStep === 0) yield;
  }
  return selected.slice(0, count);
}

function hasFilters({ compensation, category, minCommission, minStorefronts }: ListingQuery): boolean {
  return compensation !== 'all' || category !== null || minCommission !== null || minStorefronts !== null;
}
