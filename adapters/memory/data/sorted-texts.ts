import { compareCodePoints } from '../../../core/code-points.ts';

/** A fuller chunk is split, so that an insertion moves few texts. */
const maxChunkSize = 1024;

/** A set of texts in code-point order, in chunks of neighbours. */
export class SortedTexts {
  readonly #chunks: string[][] = [];

  add(text: string): void {
    const at = Math.min(this.#chunkOf(text), this.#chunks.length - 1);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([text]);
      return;
    }
    const place = firstAtLeast(chunk, text);
    if (chunk[place] === text) return;
    chunk.splice(place, 0, text);
    if (chunk.length > maxChunkSize) this.#chunks.splice(at + 1, 0, chunk.splice(maxChunkSize / 2));
  }

  delete(text: string): void {
    const at = this.#chunkOf(text);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const place = firstAtLeast(chunk, text);
    if (chunk[place] !== text) return;
    chunk.splice(place, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** Yields the texts after a text, or all of them. Nothing may be added or deleted meanwhile. */
  *after(text: string | null): Iterable<string> {
    const from = text === null ? 0 : this.#chunkOf(text);
    for (const [index, chunk] of this.#chunks.slice(from).entries()) {
      let place = index === 0 && text !== null ? firstAtLeast(chunk, text) : 0;
      if (chunk[place] === text) place += 1;
      for (; place < chunk.length; place += 1) yield chunk[place] ?? '';
    }
  }

  /** Yields the texts before a text, or all of them, the last one first. Nothing may be added or deleted meanwhile. */
  *before(text: string | null): Iterable<string> {
    const from = text === null ? this.#chunks.length - 1 : Math.min(this.#chunkOf(text), this.#chunks.length - 1);
    for (let at = from; at >= 0; at -= 1) {
      const chunk = this.#chunks[at] ?? [];
      const end = at === from && text !== null ? firstAtLeast(chunk, text) : chunk.length;
      for (let place = end - 1; place >= 0; place -= 1) yield chunk[place] ?? '';
    }
  }

  /** The first chunk whose last text is not less than `text`; the number of chunks if every text is less. */
  #chunkOf(text: string): number {
    return lowest(this.#chunks.length, (index) => compareCodePoints(this.#chunks[index]?.at(-1) ?? '', text) >= 0);
  }
}

function firstAtLeast(chunk: readonly string[], text: string): number {
  return lowest(chunk.length, (index) => compareCodePoints(chunk[index] ?? '', text) >= 0);
}

/** The lowest index below `length` that is accepted, by bisection; `length` if none is. */
function lowest(length: number, isAccepted: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isAccepted(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first texts after a text that are accepted, at most `limit`. */
export function firstAfter<Item>(
  texts: SortedTexts | undefined,
  after: string | null,
  limit: number,
  itemOf: (text: string) => Item | null,
): readonly Item[] {
  const items: Item[] = [];
  for (const text of texts?.after(after) ?? []) {
    if (items.length === limit) break;
    const item = itemOf(text);
    if (item !== null) items.push(item);
  }
  return items;
}
