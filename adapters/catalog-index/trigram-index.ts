/** So many code units make a gram. */
const gramLength = 3;
/** A power of two. */
const bucketCount = 4096;

/** Finds a term in one text: without reading the text, unless the term is shorter than a gram. */
export class TrigramIndex {
  readonly #text: string;
  /** Where each gram begins, bucket by bucket, ascending within one. */
  readonly #positions: Uint32Array;
  /** The positions of bucket `i` are `positions[starts[i]..starts[i + 1]]`. */
  readonly #starts = new Uint32Array(bucketCount + 1);

  constructor(text: string) {
    const buckets = bucketsOf(text);
    const starts = this.#starts;
    for (const bucket of buckets) add(starts, bucket + 1, 1);
    for (let bucket = 1; bucket <= bucketCount; bucket += 1) add(starts, bucket, starts[bucket - 1] ?? 0);
    const next = starts.slice();
    this.#positions = new Uint32Array(buckets.length);
    for (const [position, bucket] of buckets.entries()) {
      this.#positions[next[bucket] ?? 0] = position;
      add(next, bucket, 1);
    }
    this.#text = text;
  }

  /** Every position at which the text has this term, ascending. */
  of(term: string): readonly number[] {
    return term.length < gramLength ? this.#read(term) : this.#lookUp(term);
  }

  #read(term: string): readonly number[] {
    const found: number[] = [];
    for (let at = this.#text.indexOf(term); at !== -1; at = this.#text.indexOf(term, at + 1)) found.push(at);
    return found;
  }

  #lookUp(term: string): readonly number[] {
    const offset = this.#rarestGram(term);
    const bucket = bucketAt(term, offset);
    const found: number[] = [];
    const end = this.#starts[bucket + 1] ?? 0;
    for (let gram = this.#starts[bucket] ?? 0; gram < end; gram += 1) {
      const at = (this.#positions[gram] ?? 0) - offset;
      if (at >= 0 && this.#text.startsWith(term, at)) found.push(at);
    }
    return found;
  }

  /** Where in the term the gram begins whose bucket is the smallest. */
  #rarestGram(term: string): number {
    let rarest = 0;
    let least = Infinity;
    for (let offset = 0; offset <= term.length - gramLength; offset += 1) {
      const bucket = bucketAt(term, offset);
      const size = (this.#starts[bucket + 1] ?? 0) - (this.#starts[bucket] ?? 0);
      if (size >= least) continue;
      least = size;
      rarest = offset;
    }
    return rarest;
  }
}

/** The bucket of each gram of a text. */
function bucketsOf(text: string): Uint16Array {
  const buckets = new Uint16Array(Math.max(text.length - gramLength + 1, 0));
  for (let position = 0; position < buckets.length; position += 1) buckets[position] = bucketAt(text, position);
  return buckets;
}

function bucketAt(text: string, position: number): number {
  const hash = text.charCodeAt(position) * 961 + text.charCodeAt(position + 1) * 31 + text.charCodeAt(position + 2);
  return hash & (bucketCount - 1);
}

function add(counts: Uint32Array, position: number, more: number): void {
  counts[position] = (counts[position] ?? 0) + more;
}
