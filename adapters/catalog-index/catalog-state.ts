import { listingSorts, type ListingSort } from '../../core/catalog/listing-query.ts';
import { listingOrders } from '../../core/catalog/query-listings.ts';
import { countCategories, type CategoryCounts } from './category-counts.ts';
import { searchedText, type Entry } from './entry.ts';
import { lowerBound, mergeChanges, SortedIndexes, sortIndexes, type CompareIndexes } from './sorted-indexes.ts';
import { indexWords, noWords, type WordIndex } from './word-index.ts';

/** One state of the catalog. It never changes, so that a query in progress keeps the state that it began with. */
export interface CatalogState {
  /** Includes entries that are no longer live, until the next compaction. Later states append to the same array. */
  readonly entries: Entry[];
  /** The indexes of the live entries. */
  readonly orders: Readonly<Record<ListingSort, SortedIndexes>>;
  /** The words of the first `words.size` entries. */
  readonly words: WordIndex;
  /** The searched texts of the other entries, in their order. Later states append to the same array. */
  readonly texts: string[];
  readonly categories: CategoryCounts;
}

/** A compaction takes long; it is not worth it for fewer entries than these. */
const minToCompact = 1024;

const indexesPerStep = 128;
const textsPerStep = 64;

const emptyOrder = new SortedIndexes(new Uint32Array());

export function emptyState(): CatalogState {
  return {
    entries: [],
    orders: { charts: emptyOrder, new: emptyOrder, reward: emptyOrder },
    words: noWords,
    texts: [],
    categories: { counts: new Map(), names: [], largest: [] },
  };
}

/** Returns the state without some of its entries and with new ones. */
export function* changeState(
  state: CatalogState,
  leaving: readonly Entry[],
  arriving: readonly Entry[],
): Generator<void, CatalogState> {
  const { entries, texts } = state;
  const removed: number[] = [];
  for (const entry of leaving) {
    if (removed.push(indexOf(state, entry)) % indexesPerStep === 0) yield;
  }
  const added = arriving.map((_, position) => entries.length + position);
  for (const entry of arriving) {
    entries.push(entry);
    if (texts.push(searchedText(entry)) % textsPerStep === 0) yield;
  }
  yield;
  const orders: Record<ListingSort, SortedIndexes> = { ...state.orders };
  for (const sort of listingSorts) {
    const compare = comparison(entries, sort);
    const changes = {
      removed: yield* sortIndexes(removed, compare),
      added: yield* sortIndexes(added, compare),
    };
    orders[sort] = new SortedIndexes(yield* mergeChanges(state.orders[sort].indexes, changes, compare));
  }
  const categories = yield* countCategories(state.categories, leaving, arriving);
  return { entries, orders, words: state.words, texts, categories };
}

/** Reports whether enough entries are missing from the words, or no longer live, for a compaction to pay off. */
export function needsCompaction({ entries, orders, words }: CatalogState): boolean {
  const toCompact = entries.length - Math.min(words.size, orders.charts.indexes.length);
  return toCompact > Math.max(minToCompact, words.size / 8);
}

/**
 * Prepares a state that has only live entries, and the words of all of them. Other changes may be made meanwhile: the
 * returned function compacts the state that is current when it is called. It returns a state that was reloaded
 * unchanged.
 */
export function* compact(seen: CatalogState): Generator<void, (now: CatalogState) => CatalogState> {
  const size = seen.entries.length;
  const live: Entry[] = [];
  const newIndexes = new Uint32Array(size);
  for (const index of seen.orders.charts.indexes) {
    const entry = seen.entries[index];
    if (entry !== undefined) newIndexes[index] = live.push(entry) - 1;
  }
  yield;
  const words = yield* indexWords(live);
  return (now) => {
    if (now.entries !== seen.entries) return now;
    const move = (index: number): number => (index < size ? (newIndexes[index] ?? 0) : index - size + words.size);
    for (const entry of now.entries.slice(size)) live.push(entry);
    const moved = ({ indexes }: SortedIndexes): SortedIndexes => new SortedIndexes(indexes.map(move));
    const { charts, new: latest, reward } = now.orders;
    const orders = { charts: moved(charts), new: moved(latest), reward: moved(reward) };
    const texts = now.texts.slice(size - seen.words.size);
    return { entries: live, orders, words, texts, categories: now.categories };
  };
}

/** Finds the index of a live entry by its rank in the charts. */
function indexOf({ entries, orders: { charts } }: CatalogState, { listing }: Entry): number {
  const rank = lowerBound(charts.indexes, (index) => {
    const other = entries[index];
    return other !== undefined && listingOrders.charts(other.listing, listing) < 0;
  });
  return charts.indexes[rank] ?? 0;
}

function comparison(entries: readonly Entry[], sort: ListingSort): CompareIndexes {
  const compare = listingOrders[sort];
  return (a, b) => {
    const x = entries[a];
    const y = entries[b];
    return x === undefined || y === undefined ? a - b : compare(x.listing, y.listing);
  };
}
