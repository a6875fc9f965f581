import { distinctCategories } from '../../core/catalog/listing-page.ts';
import type { Entry } from './entry.ts';

/** How many live listings each category has, by its exact spelling, and the categories as they are shown. */
export interface CategoryCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly names: readonly string[];
}

const entriesPerStep = 2048;

/** The counts with these entries out of them and these in them. */
export function* countCategories(
  before: CategoryCounts,
  leaving: readonly Entry[],
  arriving: readonly Entry[],
): Generator<void, CategoryCounts> {
  const counts = new Map(before.counts);
  yield* countEach(counts, leaving, -1);
  yield* countEach(counts, arriving, 1);
  let same = true;
  for (const [category, left] of counts) {
    if (left === 0) counts.delete(category);
    if (left === 0 || !before.counts.has(category)) same = false;
  }
  return { counts, names: same ? before.names : distinctCategories(counts.keys()) };
}

function* countEach(counts: Map<string, number>, entries: readonly Entry[], by: number): Generator<void> {
  for (const [position, { listing }] of entries.entries()) {
    counts.set(listing.category, (counts.get(listing.category) ?? 0) + by);
    if (position % entriesPerStep === 0) yield;
  }
}
