/** Returns a negative number if the entry with index `a` comes before the one with index `b`. */
export type CompareIndexes = (a: number, b: number) => number;

/** The indexes of entries in one sort order, which also finds the ranks of given indexes. */
export class SortedIndexes {
  readonly indexes: Uint32Array;
  #ranks: Uint32Array | null = null;

  constructor(indexes: Uint32Array) {
    this.indexes = indexes;
  }

  /** The ranks of these indexes, ascending. Indexes that are not in the order are left out. */
  ranksOf(indexes: readonly number[]): Uint32Array {
    this.#ranks ??= inverse(this.indexes);
    const ranks = new Uint32Array(indexes.length);
    let count = 0;
    for (const index of indexes) {
      const rank = this.#ranks[index];
      if (rank === undefined || this.indexes[rank] !== index) continue;
      ranks[count] = rank;
      count += 1;
    }
    return ranks.subarray(0, count).toSorted();
  }
}

/** The rank of each index; 0 for those without one. */
function inverse(indexes: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(indexes.reduce((length, index) => Math.max(length, index + 1), 0));
  for (const [rank, index] of indexes.entries()) ranks[index] = rank;
  return ranks;
}

/** Indexes that one step sorts, or removes and adds. */
const runLength = 512;

/** Indexes that one step of a merge compares. */
const mergedPerStep = 4096;

/** Sorts indexes in short steps: a merge sort over sorted runs. */
export function* sortIndexes(indexes: readonly number[], compare: CompareIndexes): Generator<void, Uint32Array> {
  let sorted = new Uint32Array(indexes);
  for (let start = 0; start < sorted.length; start += runLength) {
    sorted.subarray(start, start + runLength).sort(compare);
    yield;
  }
  let merged = new Uint32Array(sorted.length);
  for (let length = runLength; length < sorted.length; length *= 2) {
    for (let start = 0; start < sorted.length; start += 2 * length) {
      const middle = start + length;
      const [a, b] = [sorted.subarray(start, middle), sorted.subarray(middle, middle + length)];
      yield* merge(a, b, merged.subarray(start), compare);
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

/** Removes indexes from an order and merges others into it; both lists are sorted. Copies what lies between as a whole. */
export function* mergeChanges(
  order: Uint32Array,
  { removed, added }: { readonly removed: Uint32Array; readonly added: Uint32Array },
  compare: CompareIndexes,
): Generator<void, Uint32Array> {
  if (order.length === 0) return added;
  const result = new Uint32Array(order.length - removed.length + added.length);
  let read = 0;
  let written = 0;
  const copyUntil = (rank: number): void => {
    result.set(order.subarray(read, rank), written);
    written += rank - read;
    read = rank;
  };
  const rankFor = (index: number): number => lowerBound(order, (other) => compare(other, index) < 0, read);
  let removals = 0;
  let additions = 0;
  while (removals < removed.length || additions < added.length) {
    const leaving = removed[removals];
    const arriving = added[additions];
    if (arriving === undefined || (leaving !== undefined && compare(leaving, arriving) <= 0)) {
      copyUntil(rankFor(leaving ?? 0));
      read += 1;
      removals += 1;
    } else {
      copyUntil(rankFor(arriving));
      result[written] = arriving;
      written += 1;
      additions += 1;
    }
    if ((removals + additions) % runLength === 0) yield;
  }
  copyUntil(order.length);
  return result;
}

/** Merges two sorted runs into `merged`. */
function* merge(a: Uint32Array, b: Uint32Array, merged: Uint32Array, compare: CompareIndexes): Generator<void> {
  let inA = 0;
  let inB = 0;
  while (inA < a.length && inB < b.length) {
    const x = a[inA] ?? 0;
    const y = b[inB] ?? 0;
    const isFirst = compare(x, y) < 0;
    merged[inA + inB] = isFirst ? x : y;
    if (isFirst) inA += 1;
    else inB += 1;
    if ((inA + inB) % mergedPerStep === 0) yield;
  }
  merged.set(a.subarray(inA), inA + inB);
  merged.set(b.subarray(inB), a.length + inB);
  yield;
}

/** Finds, by binary search, the first rank at or after `from` whose index is not before the one looked for. */
export function lowerBound(order: Uint32Array, isBefore: (index: number) => boolean, from = 0): number {
  let low = from;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(order[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
