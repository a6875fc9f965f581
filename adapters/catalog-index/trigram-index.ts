/** The length of a trigram, in UTF-16 units. */
const trigramLength = 3;

/** A power of two. */
const bucketCount = 4096;

/** Finds every position of a term in one text, without reading the text unless the term is shorter than a trigram. */
export class TrigramIndex {
  readonly #text: string;
  /** The positions of all trigrams, bucket by bucket, ascending within a bucket. */
  readonly #positions: PositionArray;
  /** The positions of bucket `i` are `positions[starts[i]..starts[i + 1]]`. */
  readonly #starts: PositionArray;

  constructor(text: string) {
    const buckets = bucketsOf(text);
    const starts = positionArray(bucketCount + 1, text);
    for (const bucket of buckets) add(starts, bucket + 1, 1);
    for (let bucket = 1; bucket <= bucketCount; bucket += 1) add(starts, bucket, starts[bucket - 1] ?? 0);
    const next = starts.slice();
    this.#starts = starts;
    this.#positions = positionArray(buckets.length, text);
    for (const [position, bucket] of buckets.entries()) {
      this.#positions[next[bucket] ?? 0] = position;
      add(next, bucket, 1);
    }
    this.#text = text;
  }

  /** The positions of a term in the text, ascending. */
  positionsOf(term: string): readonly number[] {
    return term.length < trigramLength ? this.#read(term) : this.#lookUp(term);
  }

  #read(term: string): readonly number[] {
    const found: number[] = [];
    for (let at = this.#text.indexOf(term); at !== -1; at = this.#text.indexOf(term, at + 1)) found.push(at);
    return found;
  }

  #lookUp(term: string): readonly number[] {
    const offset = this.#rarestTrigram(term);
    const bucket = bucketAt(term, offset);
    const found: number[] = [];
    const end = this.#starts[bucket + 1] ?? 0;
    for (let next = this.#starts[bucket] ?? 0; next < end; next += 1) {
      const at = (this.#positions[next] ?? 0) - offset;
      if (at >= 0 && this.#text.startsWith(term, at)) found.push(at);
    }
    return found;
  }

  /** The offset in the term of the trigram with the smallest bucket. */
  #rarestTrigram(term: string): number {
    let rarest = 0;
    let minSize = Infinity;
    for (let offset = 0; offset <= term.length - trigramLength; offset += 1) {
      const bucket = bucketAt(term, offset);
      const size = (this.#starts[bucket + 1] ?? 0) - (this.#starts[bucket] ?? 0);
      if (size >= minSize) continue;
      minSize = size;
      rarest = offset;
    }
    return rarest;
  }
}

type PositionArray = Uint16Array | Uint32Array;

/** Makes an array for positions in a text, and for its length. */
function positionArray(length: number, text: string): PositionArray {
  return text.length < 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length);
}

/** The bucket of each trigram of a text. */
function bucketsOf(text: string): Uint16Array {
  const buckets = new Uint16Array(Math.max(text.length - trigramLength + 1, 0));
  for (let position = 0; position < buckets.length; position += 1) buckets[position] = bucketAt(text, position);
  return buckets;
}

function bucketAt(text: string, position: number): number {
  const hash = text.charCodeAt(position) * 961 + text.charCodeAt(position + 1) * 31 + text.charCodeAt(position + 2);
  return hash & (bucketCount - 1);
}

function add(counts: PositionArray, position: number, addend: number): void {
  counts[position] = (counts[position] ?? 0) + addend;
}
