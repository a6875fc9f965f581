import type { RenderedAnswer } from '../../core/catalog/catalog.port.ts';

/** How much text is remembered, in UTF-16 units: some thousand pages. */
const capacity = 16_000_000;

/** Answers of one state of the catalog: those wanted at the same time are worked out once, the oldest are forgotten first. */
export class PageCache {
  readonly #answers = new Map<string, Promise<RenderedAnswer>>();
  readonly #capacity: number;
  #sizes = new Map<string, number>();
  #size = 0;

  constructor(size: number = capacity) {
    this.#capacity = size;
  }

  /** The remembered answer, or the one that `work` makes. */
  remember(key: string, work: () => Promise<RenderedAnswer>): Promise<RenderedAnswer> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = work();
    this.#answers.set(key, answer);
    answer.then(
      ({ text }) => this.#keep(key, key.length + text.length),
      () => this.#answers.delete(key),
    );
    return answer;
  }

  #keep(key: string, size: number): void {
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
