import { distinctCategories } from '../../core/catalog/query-listings.ts';
import type { Entry } from './entry.ts';

/** How many live listings each category has, by its exact spelling, and the categories as they are shown. */
export interface CategoryCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly names: readonly string[];
}

/** The counts with these entries out of them and these in them. */
export function countCategories(
  before: CategoryCounts,
  leaving: readonly Entry[],
  arriving: readonly Entry[],
): CategoryCounts {
  const counts = new Map(before.counts);
  const count = (category: string, by: number): void => void counts.set(category, (counts.get(category) ?? 0) + by);
  for (const { listing } of leaving) count(listing.category, -1);
  for (const { listing } of arriving) count(listing.category, 1);
  let same = true;
  for (const [category, left] of counts) {
    if (left === 0) counts.delete(category);
    if (left === 0 || !before.counts.has(category)) same = false;
  }
  return { counts, names: same ? before.names : distinctCategories(counts.keys()) };
}
