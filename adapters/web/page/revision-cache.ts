import type { Call } from '../../../core/call.ts';
import type { Content } from './content.ts';

/** The default capacity in bytes before compression: the pages of some ten thousand listings. */
const defaultCapacity = 64_000_000;

/**
 * Caches content that was rendered from one revision of the catalog. Makes each content once, however many requests
 * wait for it, and drops the oldest first.
 */
export class RevisionCache {
  readonly #revision: () => number;
  readonly #capacity: number;
  #cached = -1;
  #contents = new Map<string, Promise<Content>>();
  #sizes = new Map<string, number>();
  #size = 0;

  /** `revision` may refuse; then nothing is answered, not even from the cache. */
  constructor(revision: () => number, capacity: number = defaultCapacity) {
    this.#revision = revision;
    this.#capacity = capacity;
  }

  /** Returns the cached content, or the one that `make` makes. Content that cannot be made is not cached. */
  get(key: string, make: () => Promise<Content>): Promise<Content> {
    const revision = this.#revision();
    if (revision !== this.#cached) this.#clear(revision);
    const known = this.#contents.get(key);
    if (known !== undefined) return known;
    const contents = this.#contents;
    const content = make();
    contents.set(key, content);
    content.then(
      ({ bytes }) => this.#made(contents, key, key.length + bytes.length),
      () => contents.delete(key),
    );
    return content;
  }

  #clear(revision: number): void {
    this.#cached = revision;
    this.#contents = new Map();
    this.#sizes = new Map();
    this.#size = 0;
  }

  /** Counts the size of a content, unless the cache was cleared meanwhile, and drops the oldest ones above the capacity. */
  #made(contents: ReadonlyMap<string, unknown>, key: string, size: number): void {
    if (contents !== this.#contents) return;
    this.#sizes.set(key, size);
    this.#size += size;
    for (const [oldest, freed] of this.#sizes) {
      if (this.#size <= this.#capacity) return;
      this.#sizes.delete(oldest);
      this.#contents.delete(oldest);
      this.#size -= freed;
    }
  }
}

/** Caches a reading of one revision of the catalog. Each change of its storefronts is one of the catalog. */
export function keptPerRevision<T>(
  revision: () => number,
  read: (call: Call) => Promise<T>,
): (call: Call) => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | null = null;
  return (call) => {
    const at = revision();
    if (kept?.at === at) return kept.value;
    const mine = { at, value: read(call) };
    kept = mine;
    mine.value.catch(() => (kept = kept === mine ? null : kept));
    return mine.value;
  };
}
