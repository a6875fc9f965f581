import type { CatalogRenderer } from '../../core/catalog/catalog.port.ts';
import type { CatalogChanges, LoadedCatalog, Mark } from '../../core/catalog/listings.port.ts';
import { Answers } from './answers.ts';
import { changeState, emptyState, type CatalogState } from './catalog-state.ts';
import { makeEntries, type Entry } from './entry.ts';

/** A state of the catalog with all that is remembered about it. */
export interface CatalogSnapshot {
  readonly mark: Mark;
  readonly state: CatalogState;
  /** Changes with the state; only single look-ups use it, and never across turns of the event loop. */
  readonly bySlug: Map<string, Entry>;
  /** Rendered. */
  readonly categories: string;
  readonly answers: Answers;
}

const slugsPerStep = 2048;

export function* buildSnapshot(
  { live, mark }: LoadedCatalog,
  renderer: CatalogRenderer,
): Generator<void, CatalogSnapshot> {
  const entries = yield* makeEntries(live, renderer);
  const state = yield* changeState(emptyState(), [], entries);
  const bySlug = yield* withEntries(new Map(), entries);
  return { mark, state, bySlug, categories: renderer.categories(state.categories.names), answers: new Answers() };
}

/** The snapshot after these changes. What is remembered is kept where nothing has changed. */
export function* applyChanges(
  before: CatalogSnapshot,
  { changed, removed, mark }: Extract<CatalogChanges, { readonly kind: 'changes' }>,
  renderer: CatalogRenderer,
): Generator<void, CatalogSnapshot> {
  if (changed.length === 0 && removed.length === 0) return { ...before, mark };
  const arriving = yield* makeEntries(changed, renderer);
  const slugs = [...changed.map(({ slug }) => slug), ...removed];
  const leaving = slugs.flatMap((slug) => before.bySlug.get(slug) ?? []);
  const state = yield* changeState(before.state, leaving, arriving);
  const few = slugs.length <= slugsPerStep;
  const bySlug = few ? before.bySlug : yield* withEntries(new Map(), before.bySlug.values());
  for (const slug of removed) bySlug.delete(slug);
  if (few) for (const entry of arriving) bySlug.set(entry.listing.slug, entry);
  else yield* withEntries(bySlug, arriving);
  return { mark, state, bySlug, categories: renderer.categories(state.categories.names), answers: new Answers() };
}

function* withEntries(bySlug: Map<string, Entry>, entries: Iterable<Entry>): Generator<void, Map<string, Entry>> {
  let done = 0;
  for (const entry of entries) {
    bySlug.set(entry.listing.slug, entry);
    done += 1;
    if (done % slugsPerStep === 0) yield;
  }
  return bySlug;
}
