import { compareCodePoints } from '../code-points.ts';
import type { ListingQuery } from './listing-query.ts';
import type { Listing } from './listing.ts';
import { foldCase } from './search-text.ts';

/** The position of a page in everything that its query matches. */
export interface PageMeta {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

/** The listings of a page, and its position in all that match the query. */
export interface ListingPage {
  readonly listings: readonly Listing[];
  readonly meta: PageMeta;
  /** The categories of all live listings, whatever the query. */
  readonly categories: readonly string[];
}

export function pageMeta(total: number, { offset, limit }: ListingQuery): PageMeta {
  return { total, offset, limit, hasMore: offset + limit < total };
}

/** A category of live listings, and how many it has. */
export interface CategoryCount {
  readonly name: string;
  readonly count: number;
}

/**
 * Counts the listings of each category that a page names, the largest first. Equal ones stay in the order of `names`. The
 * counts are given by the exact spelling.
 */
export function largestCategories(
  counts: ReadonlyMap<string, number>,
  names: readonly string[],
): readonly CategoryCount[] {
  const totals = new Map<string, number>();
  for (const [category, count] of counts) {
    const key = foldCase(category);
    totals.set(key, (totals.get(key) ?? 0) + count);
  }
  return names.map((name) => ({ name, count: totals.get(foldCase(name)) ?? 0 })).toSorted((a, b) => b.count - a.count);
}

/** The categories that a page names, in code-point order. Of those that differ in case only, the first stands for all. */
export function distinctCategories(categories: Iterable<string>): readonly string[] {
  const first = new Map<string, string>();
  for (const category of [...new Set(categories)].toSorted(compareCodePoints)) {
    const key = foldCase(category);
    if (!first.has(key)) first.set(key, category);
  }
  return [...first.values()];
}
