import { isLive, type Listing } from './listing.ts';
import type { CatalogChanges, Cursor } from './listings.port.ts';

/** Splits the listings that have changed, each as it is at `cursor`, into those to show and those to remove. */
export function changesOf(listings: Iterable<Listing>, cursor: Cursor): CatalogChanges {
  const changed: Listing[] = [];
  const removed: string[] = [];
  for (const listing of listings) {
    if (isLive(listing)) changed.push(listing);
    else removed.push(listing.slug);
  }
  return { kind: 'changes', changed, removed, cursor };
}
