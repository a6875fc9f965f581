import { listingOrders } from '../../core/catalog/listing-order.ts';
import { listingSorts, type ListingSort } from '../../core/catalog/listing-query.ts';
import { countCategories, type CategoryCounts } from './category-counts.ts';
import type { Entry } from './entry.ts';
import { placeOf, mergeChanges, SlotOrder, sortSlots, type CompareSlots } from './listing-positions.ts';
import { indexWords, noWords, type WordIndex } from './word-index.ts';

/**
 * One state of the catalog. It never changes: a later state shares what stayed the same, and an answer that is being
 * worked out keeps the state that it began with.
 */
export interface CatalogState {
  /** By slot. Later states append to the same array; what is no longer live stays in it until the state is compacted. */
  readonly entries: Entry[];
  /** The slots of what is live. */
  readonly orders: Readonly<Record<ListingSort, SlotOrder>>;
  /** The words of the entries in the first slots; the entries after them are searched one by one. */
  readonly words: WordIndex;
  readonly categories: CategoryCounts;
}

const looseAtLeast = 1024;
const slotsPerStep = 128;

const emptyOrder = new SlotOrder(new Uint32Array());

export function emptyState(): CatalogState {
  return {
    entries: [],
    orders: { charts: emptyOrder, new: emptyOrder, reward: emptyOrder },
    words: noWords,
    categories: { counts: new Map(), names: [] },
  };
}

/** The state with these entries out of it and these listings in it. */
export function* changeState(
  state: CatalogState,
  leaving: readonly Entry[],
  arriving: readonly Entry[],
): Generator<void, CatalogState> {
  const { entries } = state;
  const removed: number[] = [];
  for (const entry of leaving) {
    if (removed.push(slotOf(state, entry)) % slotsPerStep === 0) yield;
  }
  const added = arriving.map((_, position) => entries.length + position);
  for (const entry of arriving) entries.push(entry);
  yield;
  const orders: Record<ListingSort, SlotOrder> = { ...state.orders };
  for (const sort of listingSorts) {
    const compare = comparison(entries, sort);
    const out = yield* sortSlots(removed, compare);
    const into = yield* sortSlots(added, compare);
    orders[sort] = new SlotOrder(yield* mergeChanges(state.orders[sort].slots, out, into, compare));
  }
  const categories = yield* countCategories(state.categories, leaving, arriving);
  return { entries, orders, words: state.words, categories };
}

/** Whether so much is not covered by the words, or not live any more, that a compaction pays. */
export function needsCompaction({ entries, orders, words }: CatalogState): boolean {
  const loose = entries.length - Math.min(words.size, orders.charts.slots.length);
  return loose > Math.max(looseAtLeast, words.size / 8);
}

/**
 * Prepares the move to a state without entries that are not live and with the words of all others. Later states may
 * come in the meantime: the returned function moves the one that there is then (one that was loaded anew stays as it is).
 */
export function* compact(seen: CatalogState): Generator<void, (now: CatalogState) => CatalogState> {
  const size = seen.entries.length;
  const { slots } = seen.orders.charts;
  const kept: Entry[] = [];
  const movedTo = new Uint32Array(size);
  for (const slot of slots) {
    const entry = seen.entries[slot];
    if (entry !== undefined) movedTo[slot] = kept.push(entry) - 1;
  }
  yield;
  const words = yield* indexWords(kept);
  return (now) => {
    if (now.entries !== seen.entries) return now;
    const move = (slot: number): number => (slot < size ? (movedTo[slot] ?? 0) : slot - size + words.size);
    for (const entry of now.entries.slice(size)) kept.push(entry);
    const moved = ({ slots: before }: SlotOrder): SlotOrder => new SlotOrder(before.map(move));
    const { charts, new: latest, reward } = now.orders;
    const orders = { charts: moved(charts), new: moved(latest), reward: moved(reward) };
    return { entries: kept, orders, words, categories: now.categories };
  };
}

function slotOf({ entries, orders: { charts } }: CatalogState, { listing }: Entry): number {
  const place = placeOf(charts.slots, (slot) => {
    const other = entries[slot];
    return other !== undefined && listingOrders.charts(other.listing, listing) < 0;
  });
  return charts.slots[place] ?? 0;
}

function comparison(entries: readonly Entry[], sort: ListingSort): CompareSlots {
  const compare = listingOrders[sort];
  return (a, b) => {
    const x = entries[a];
    const y = entries[b];
    return x === undefined || y === undefined ? a - b : compare(x.listing, y.listing);
  };
}
