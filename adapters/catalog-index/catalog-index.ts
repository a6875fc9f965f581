import type { Call } from '../../core/call.ts';
import type { Catalog, CatalogRenderer, RenderedAnswer } from '../../core/catalog/catalog.port.ts';
import type { ListingQuery } from '../../core/catalog/listing-query.ts';
import type { Listings } from '../../core/catalog/listings.port.ts';
import { pageMeta } from '../../core/catalog/listing-page.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Digest } from '../../core/secret.ts';
import { compact, needsCompaction, type CatalogState } from './catalog-state.ts';
import { findSlots } from './find-matches.ts';
import { applyChanges, buildSnapshot, type CatalogSnapshot } from './catalog-snapshot.ts';
import { TimeSlices } from './time-slices.ts';

/** Milliseconds after the last refresh: when others may no longer keep answers, and when there are none any more. */
const freshness = 1000;
const lifetime = 30_000;

/**
 * Answers listing queries in the process, over whichever store. The next state is built beside the present one, in
 * turns of a few milliseconds, and takes its place at once; every answer is out of one state.
 */
export class CatalogIndex implements Catalog {
  readonly #listings: Listings;
  readonly #renderer: CatalogRenderer;
  readonly #digest: Digest;
  readonly #clock: () => number;
  readonly #slices = new TimeSlices();
  #snapshot: CatalogSnapshot | null = null;
  /** When the last refresh began that did not fail. */
  #freshAt = -Infinity;
  #compacting = false;
  #compacted: ((now: CatalogState) => CatalogState) | null = null;

  /** `clock` never jumps, and counts milliseconds. */
  constructor(
    listings: Listings,
    renderer: CatalogRenderer,
    digest: Digest,
    clock: () => number = () => performance.now(),
  ) {
    this.#listings = listings;
    this.#renderer = renderer;
    this.#digest = digest;
    this.#clock = clock;
  }

  /** Those who ask for what is being worked out already share the deadline of the first. */
  async page(query: ListingQuery, call: Call): Promise<RenderedAnswer> {
    const { state, answers, categories } = this.#present();
    return answers.remember(JSON.stringify(query), async () => {
      const slots = await this.#slices.run(findSlots(state, query), call.deadline);
      const shown = slots.subarray(query.offset, query.offset + query.limit);
      const listings = Array.from(shown, (slot) => state.entries[slot]?.rendered ?? '');
      return this.#answer(this.#renderer.page(listings, pageMeta(slots.length, query), categories));
    });
  }

  async find(slug: string): Promise<RenderedAnswer | null> {
    const { bySlug, answers } = this.#present();
    const entry = bySlug.get(slug);
    if (entry === undefined) return null;
    return answers.remember(slug, async () => this.#answer(this.#renderer.detail(entry.rendered)));
  }

  isFresh(): boolean {
    return this.age() <= freshness;
  }

  /** Milliseconds since it was what the store held; infinite before the first load. */
  age(): number {
    return this.#clock() - this.#freshAt;
  }

  /**
   * Takes over every change whose write had returned before this call; loads everything the first time and when the
   * store says that it must. One at a time. Where it throws, the last state stays and the next refresh makes up for it.
   */
  async refresh(call: Call): Promise<void> {
    const began = this.#clock();
    this.#adoptCompacted();
    let next = this.#snapshot ?? (await this.#load(call));
    while (call.deadline.remaining() > 0) {
      const changes = await this.#listings.changesSince(next.cursor, call);
      if (changes.kind === 'changes') {
        this.#snapshot = await this.#slices.run(applyChanges(next, changes, this.#renderer));
        this.#freshAt = began;
        this.#compactWhenLoose(this.#snapshot.state);
        return;
      }
      next = await this.#load(call);
    }
    throw new Refusal('store_unavailable');
  }

  async #load(call: Call): Promise<CatalogSnapshot> {
    return this.#slices.run(buildSnapshot(await this.#listings.load(call), this.#renderer));
  }

  /** Begins a compaction behind the answers, when one is due; a later refresh adopts it. */
  #compactWhenLoose(state: CatalogState): void {
    if (this.#compacting || !needsCompaction(state)) return;
    this.#compacting = true;
    const settle = (move: ((now: CatalogState) => CatalogState) | null): void => {
      this.#compacting = false;
      this.#compacted = move;
    };
    this.#slices.run(compact(state)).then(settle, () => settle(null));
  }

  #adoptCompacted(): void {
    if (this.#snapshot === null || this.#compacted === null) return;
    this.#snapshot = { ...this.#snapshot, state: this.#compacted(this.#snapshot.state) };
    this.#compacted = null;
  }

  #present(): CatalogSnapshot {
    if (this.#snapshot === null || this.age() > lifetime) {
      throw new Refusal('store_unavailable', { cause: 'the catalog could not be refreshed' });
    }
    return this.#snapshot;
  }

  #answer(text: string): RenderedAnswer {
    return { text, tag: this.#digest(text) };
  }
}
