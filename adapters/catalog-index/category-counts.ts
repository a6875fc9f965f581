import { distinctCategories, largestCategories, type CategoryCount } from '../../core/catalog/listing-page.ts';
import type { Entry } from './entry.ts';

/** The number of live listings in each category, by its exact spelling, and the names that pages show. */
export interface CategoryCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly names: readonly string[];
  /** The same, the largest first. */
  readonly largest: readonly CategoryCount[];
}

const entriesPerStep = 2048;

/** Returns the counts without some entries and with new ones. `names` stays the same array if no category came or went. */
export function* countCategories(
  before: CategoryCounts,
  leaving: readonly Entry[],
  arriving: readonly Entry[],
): Generator<void, CategoryCounts> {
  const counts = new Map(before.counts);
  yield* countEach(counts, leaving, -1);
  yield* countEach(counts, arriving, 1);
  let same = true;
  for (const [category, count] of counts) {
    if (count === 0) counts.delete(category);
    if (count === 0 || !before.counts.has(category)) same = false;
  }
  yield;
  const names = same ? before.names : distinctCategories(counts.keys());
  yield;
  return { counts, names, largest: largestCategories(counts, names) };
}

function* countEach(counts: Map<string, number>, entries: readonly Entry[], by: number): Generator<void> {
  for (const [position, { listing }] of entries.entries()) {
    counts.set(listing.category, (counts.get(listing.category) ?? 0) + by);
    if (position % entriesPerStep === 0) yield;
  }
}
