import type { CatalogRenderer } from '../../core/catalog/catalog.port.ts';
import type { CatalogChanges, Cursor, LoadedCatalog } from '../../core/catalog/listings.port.ts';
import { changeState, emptyState, type CatalogState } from './catalog-state.ts';
import { makeEntries } from './entry.ts';
import { PageCache } from './page-cache.ts';
import { SlugTable } from './slug-table.ts';

/** A state of the catalog with everything that is derived from it. Immutable, but for the cache of its pages. */
export interface CatalogSnapshot {
  readonly cursor: Cursor;
  readonly state: CatalogState;
  readonly bySlug: SlugTable;
  /** The rendered categories. */
  readonly categories: string;
  readonly pages: PageCache;
}

export function* buildSnapshot(
  { live, cursor }: LoadedCatalog,
  renderer: CatalogRenderer,
): Generator<void, CatalogSnapshot> {
  const empty = {
    cursor,
    state: emptyState(),
    bySlug: new SlugTable(),
    categories: renderer.categories([]),
    pages: new PageCache(),
  };
  return yield* applyChanges(empty, { kind: 'changes', changed: live, removed: [], cursor }, renderer);
}

type KnownChanges = Extract<CatalogChanges, { readonly kind: 'changes' }>;

export function hasAny({ changed, removed }: KnownChanges): boolean {
  return changed.length > 0 || removed.length > 0;
}

/** Returns the snapshot after these changes, without the cached pages. */
export function* applyChanges(
  before: CatalogSnapshot,
  { changed, removed, cursor }: KnownChanges,
  renderer: CatalogRenderer,
): Generator<void, CatalogSnapshot> {
  const arriving = yield* makeEntries(changed, renderer);
  const leaving = [
    ...(yield* before.bySlug.find(changed.map((listing) => listing.slug))),
    ...(yield* before.bySlug.find(removed)),
  ];
  const state = yield* changeState(before.state, leaving, arriving);
  const bySlug = yield* before.bySlug.change(removed, arriving);
  const { names } = state.categories;
  const categories = names === before.state.categories.names ? before.categories : renderer.categories(names);
  return { cursor, state, bySlug, categories, pages: new PageCache() };
}
