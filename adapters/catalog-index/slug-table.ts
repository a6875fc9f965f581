import type { Entry } from './entry.ts';

const shardCount = 1024;
const entriesPerStep = 256;

/** The live entries by slug. Immutable: the next table shares every shard in which nothing has changed. */
export class SlugTable {
  readonly #shards: readonly ReadonlyMap<string, Entry>[];

  constructor(shards: readonly ReadonlyMap<string, Entry>[] = Array.from({ length: shardCount }, () => new Map())) {
    this.#shards = shards;
  }

  get(slug: string): Entry | undefined {
    return this.#shards[shardOf(slug)]?.get(slug);
  }

  /** Finds the entries of these slugs. Slugs without an entry are left out. */
  *find(slugs: readonly string[]): Generator<void, Entry[]> {
    const found: Entry[] = [];
    for (const [position, slug] of slugs.entries()) {
      const entry = this.get(slug);
      if (entry !== undefined) found.push(entry);
      if (position % entriesPerStep === 0) yield;
    }
    return found;
  }

  /** Returns the table without some slugs and with new entries. */
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
