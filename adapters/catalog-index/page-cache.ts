import type { RenderedAnswer } from '../../core/catalog/catalog.port.ts';

/** The default capacity, in UTF-16 units of text: some thousand pages. */
const defaultCapacity = 16_000_000;

/**
 * Caches the answers of one state of the catalog. Makes each once, however many requests wait for it, and drops the
 * oldest first.
 */
export class PageCache {
  readonly #answers = new Map<string, Promise<RenderedAnswer>>();
  readonly #capacity: number;
  #sizes = new Map<string, number>();
  #size = 0;

  constructor(capacity: number = defaultCapacity) {
    this.#capacity = capacity;
  }

  /** Returns the cached answer, or the one that `make` makes. An answer that cannot be made is not cached. */
  get(key: string, make: () => Promise<RenderedAnswer>): Promise<RenderedAnswer> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = make();
    this.#answers.set(key, answer);
    answer.then(
      ({ text }) => this.#made(key, key.length + text.length),
      () => this.#answers.delete(key),
    );
    return answer;
  }

  /** Counts the size of an answer, and drops the oldest ones above the capacity. */
  #made(key: string, size: number): void {
    this.#sizes.set(key, size);
    this.#size += size;
    for (const [oldest, freed] of this.#sizes) {
      if (this.#size <= this.#capacity) return;
      this.#sizes.delete(oldest);
      this.#answers.delete(oldest);
      this.#size -= freed;
    }
  }
}
