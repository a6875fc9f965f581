import type { Entry } from './entry.ts';

const shardCount = 1024;
const entriesPerStep = 256;

/** Entries by slug. It never changes: the next one shares every shard in which nothing changed. */
export class SlugTable {
  readonly #shards: readonly ReadonlyMap<string, Entry>[];

  constructor(shards: readonly ReadonlyMap<string, Entry>[] = Array.from({ length: shardCount }, () => new Map())) {
    this.#shards = shards;
  }

  get(slug: string): Entry | undefined {
    return this.#shards[shardOf(slug)]?.get(slug);
  }

  /** The entries of those slugs that have one. */
  *find(slugs: readonly string[]): Generator<void, Entry[]> {
    const found: Entry[] = [];
    for (const [position, slug] of slugs.entries()) {
      const entry = this.get(slug);
      if (entry !== undefined) found.push(entry);
      if (position % entriesPerStep === 0) yield;
    }
    return found;
  }

  /** The table without these slugs and with these entries. */
  *change(removed: readonly string[], arriving: readonly Entry[]): Generator<void, SlugTable> {
    const shards = this.#shards.slice();
    const copies = new Map<number, Map<string, Entry>>();
    const copyFor = (slug: string): Map<string, Entry> => {
      const shard = shardOf(slug);
      const copy = copies.get(shard) ?? new Map(shards[shard]);
      copies.set(shard, copy);
      shards[shard] = copy;
      return copy;
    };
    for (const [position, slug] of removed.entries()) {
      copyFor(slug).delete(slug);
      if (position % entriesPerStep === 0) yield;
    }
    for (const [position, entry] of arriving.entries()) {
      copyFor(entry.listing.slug).set(entry.listing.slug, entry);
      if (position % entriesPerStep === 0) yield;
    }
    return new SlugTable(shards);
  }
}

function shardOf(slug: string): number {
  let hash = 0;
  for (let position = 0; position < slug.length; position += 1) {
    hash = (Math.imul(hash, 31) + slug.charCodeAt(position)) | 0;
  }
  return hash & (shardCount - 1);
}
