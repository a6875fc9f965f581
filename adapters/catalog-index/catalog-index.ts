import type { Call, MonotonicClock } from '../../core/call.ts';
import type { Catalog, CatalogRenderer, RenderedAnswer } from '../../core/catalog/catalog.port.ts';
import { pageMeta, type CategoryCount, type ListingPage } from '../../core/catalog/listing-page.ts';
import type { ListingQuery } from '../../core/catalog/listing-query.ts';
import type { Listing } from '../../core/catalog/listing.ts';
import type { Listings } from '../../core/catalog/listings.port.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Digest } from '../../core/secret.ts';
import { applyChanges, buildSnapshot, hasAny, type CatalogSnapshot } from './catalog-snapshot.ts';
import { compact, needsCompaction, type CatalogState } from './catalog-state.ts';
import type { Entry } from './entry.ts';
import { findMatches, isWholeCatalog } from './find-matches.ts';
import { FirstLoad, ReloadLimit } from './loading.ts';
import { SearchQueue } from './search-queue.ts';
import { TimeSlices } from './time-slices.ts';

interface Found {
  readonly shown: readonly Entry[];
  readonly total: number;
}

/** The maximum age of answers that caches may keep, and of answers at all, in milliseconds. */
const maxFreshAge = 1000;
const maxAge = 30_000;

/**
 * Answers listing queries from memory, over any store.
 *
 * Why not a filter over an array? The catalog is read far more often than it changes, and a slow query delays every
 * other request of the process. With 10,000 listings, the oracle (`queryListings`) takes 24 ms for a search and a
 * filter over texts that are folded beforehand 0.8 ms; both grow with the catalog and block the event loop meanwhile.
 * SQL with `LIKE` takes 14.5 ms. The index answers a new search in 104 µs and a repeated one in 34 µs, HTTP included
 * (bench/README.md).
 *
 * The terms of this folder:
 * - entry: a live listing, rendered and folded once (entry.ts).
 * - index: the position of an entry in `CatalogState.entries`. It identifies the entry until the next compaction.
 * - order: the indexes of all live entries, sorted (sorted-indexes.ts). rank: a position in an order.
 * - term: a part of a search. word: what stands between white space in the text of an entry. A term occurs in an entry
 *   if it occurs in one of its words, so each distinct word is searched once (word-index.ts), by the rarest three
 *   characters of the term, a trigram (trigram-index.ts).
 * - state: the entries, orders, words and categories at one time (catalog-state.ts). States are immutable. The next
 *   one shares what has not changed and is built beside the present one, so that every answer comes from one state.
 * - compaction: a change does not add to the words or shrink the entries, because both take long. Entries that are not
 *   in the words are searched one by one, until they are so many that a compaction builds words and entries anew.
 * - snapshot: a state with its slugs (slug-table.ts), rendered categories and rendered pages (page-cache.ts).
 * - step: work that may take more than a millisecond is a generator that yields after each step, so that other
 *   requests are answered in between (time-slices.ts).
 * - search: a query with terms or filters. Two run at once, the others wait (search-queue.ts). Other queries never wait.
 */
export class CatalogIndex implements Catalog {
  readonly #listings: Listings;
  readonly #renderer: CatalogRenderer;
  readonly #digest: Digest;
  readonly #clock: MonotonicClock;
  readonly #reloadLimit: ReloadLimit;
  readonly #firstLoad = new FirstLoad();
  readonly #slices = new TimeSlices();
  readonly #searches = new SearchQueue(this.#slices);
  #snapshot: CatalogSnapshot | null = null;
  #revision = 0;
  /** When the last successful refresh began. */
  #freshAt = -Infinity;
  #compacting = false;
  #compacted: ((now: CatalogState) => CatalogState) | null = null;

  constructor(
    listings: Listings,
    renderer: CatalogRenderer,
    digest: Digest,
    clock: MonotonicClock = () => performance.now(),
  ) {
    this.#listings = listings;
    this.#renderer = renderer;
    this.#digest = digest;
    this.#clock = clock;
    this.#reloadLimit = new ReloadLimit(clock);
  }

  async loaded({ deadline }: Call): Promise<void> {
    if (this.#snapshot === null) await this.#firstLoad.settled(deadline);
  }

  /** Requests for a page that is being made wait for it, and share the deadline of the first of them. */
  async page(query: ListingQuery, call: Call): Promise<RenderedAnswer> {
    const { state, pages, categories } = this.#current();
    return pages.get(JSON.stringify(query), async () => {
      const { shown, total } = await this.#search(state, query, call);
      const listings = shown.map(({ rendered }) => rendered);
      return this.#answer(this.#renderer.page(listings, pageMeta(total, query), categories));
    });
  }

  async find(slug: string): Promise<RenderedAnswer | null> {
    const { bySlug, pages } = this.#current();
    const entry = bySlug.get(slug);
    if (entry === undefined) return null;
    return pages.get(slug, async () => this.#answer(this.#renderer.detail(entry.rendered)));
  }

  async listingPage(query: ListingQuery, call: Call): Promise<ListingPage> {
    const { state } = this.#current();
    const { shown, total } = await this.#search(state, query, call);
    const listings = shown.map(({ listing }) => listing);
    return { listings, meta: pageMeta(total, query), categories: state.categories.names };
  }

  listing(slug: string): Listing | null {
    return this.#current().bySlug.get(slug)?.listing ?? null;
  }

  categories(): readonly CategoryCount[] {
    return this.#current().state.categories.largest;
  }

  featured(limit: number): readonly Listing[] {
    const { entries, orders } = this.#current().state;
    const found: Listing[] = [];
    for (const index of orders.charts.indexes) {
      if (found.length === limit) break;
      const listing = entries[index]?.listing;
      if (listing?.featured === true) found.push(listing);
    }
    return found;
  }

  revision(): number {
    this.#current();
    return this.#revision;
  }

  isFresh(): boolean {
    return this.age() <= maxFreshAge;
  }

  /** Milliseconds since the index was equal to the store; infinite before the first load. */
  age(): number {
    return this.#clock() - this.#freshAt;
  }

  /**
   * Reads every change whose write had returned before this call, or the whole catalog the first time and when the
   * store asks for it. Call it again only after it has settled. If it throws, the last snapshot stays, and the next
   * refresh reads what this one did not. Reloads are limited by `ReloadLimit`.
   */
  async refresh(call: Call): Promise<void> {
    if (this.#snapshot === null) await this.#firstLoad.during(this.#refresh(call));
    else await this.#refresh(call);
  }

  async #refresh(call: Call): Promise<void> {
    this.#reloadLimit.checkRefresh();
    const began = this.#clock();
    this.#adoptCompacted();
    let next = this.#snapshot ?? (await this.#load(call));
    for (let reloads = 0; call.deadline.remaining() > 0; reloads += 1) {
      const changes = await this.#listings.changesSince(next.cursor, call);
      if (changes.kind === 'changes') {
        next = hasAny(changes)
          ? await this.#slices.run(applyChanges(next, changes, this.#renderer))
          : { ...next, cursor: changes.cursor };
        this.#adopt(next);
        this.#freshAt = began;
        this.#compactIfNeeded(next.state);
        return;
      }
      this.#reloadLimit.checkReload(reloads, began);
      next = await this.#load(call);
    }
    throw new Refusal('store_unavailable');
  }

  /** The cache of pages is a new one exactly where something has changed. */
  #adopt(next: CatalogSnapshot): void {
    if (next.pages !== this.#snapshot?.pages) this.#revision += 1;
    this.#snapshot = next;
  }

  /** Returns the entries of the page that a query asks for, and the number of all that match. */
  async #search(state: CatalogState, query: ListingQuery, call: Call): Promise<Found> {
    const indexes = isWholeCatalog(query)
      ? state.orders[query.sort].indexes
      : await this.#searches.run(() => findMatches(state, query), call.deadline);
    const shown: Entry[] = [];
    for (const index of indexes.subarray(query.offset, query.offset + query.limit)) {
      const entry = state.entries[index];
      if (entry !== undefined) shown.push(entry);
    }
    return { shown, total: indexes.length };
  }

  async #load(call: Call): Promise<CatalogSnapshot> {
    return this.#slices.run(buildSnapshot(await this.#listings.load(call), this.#renderer));
  }

  /** Begins a compaction in the background. A later refresh adopts its result. */
  #compactIfNeeded(state: CatalogState): void {
    if (this.#compacting || !needsCompaction(state)) return;
    this.#compacting = true;
    const settle = (adopt: ((now: CatalogState) => CatalogState) | null): void => {
      this.#compacting = false;
      this.#compacted = adopt;
    };
    this.#slices.run(compact(state)).then(settle, () => settle(null));
  }

  #adoptCompacted(): void {
    if (this.#snapshot === null || this.#compacted === null) return;
    this.#snapshot = { ...this.#snapshot, state: this.#compacted(this.#snapshot.state) };
    this.#compacted = null;
  }

  #current(): CatalogSnapshot {
    if (this.#snapshot === null || this.age() > maxAge) {
      throw new Refusal('store_unavailable', { cause: 'the catalog could not be refreshed' });
    }
    return this.#snapshot;
  }

  #answer(text: string): RenderedAnswer {
    return { text, tag: this.#digest(text) };
  }
}
