/** Negative when the entry in slot `a` comes before the one in slot `b`. */
export type CompareSlots = (a: number, b: number) => number;

/** An ordered sequence of slots. */
export class SlotOrder {
  readonly slots: Uint32Array;
  #places: Uint32Array | null = null;

  constructor(slots: Uint32Array) {
    this.slots = slots;
  }

  /** Where in the sequence these slots are, ascending; those that are not in it are left out. */
  placesOf(slots: readonly number[]): Uint32Array {
    this.#places ??= inverse(this.slots);
    const places = new Uint32Array(slots.length);
    let count = 0;
    for (const slot of slots) {
      const place = this.#places[slot];
      if (place === undefined || this.slots[place] !== slot) continue;
      places[count] = place;
      count += 1;
    }
    return places.subarray(0, count).toSorted();
  }
}

/** The place of each slot; 0 for those that have none. */
function inverse(slots: Uint32Array): Uint32Array {
  const places = new Uint32Array(slots.reduce((greatest, slot) => Math.max(greatest, slot + 1), 0));
  for (const [place, slot] of slots.entries()) places[slot] = place;
  return places;
}

const run = 512;
const stepLength = 4096;

/** The slots in order, sorted in short steps. */
export function* sortSlots(slots: readonly number[], compare: CompareSlots): Generator<void, Uint32Array> {
  let runs: (readonly number[])[] = [];
  for (let start = 0; start < slots.length; start += run) {
    runs.push(slots.slice(start, start + run).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly number[])[] = [];
    for (let pair = 0; pair < runs.length; pair += 2) {
      merged.push(yield* merge(runs[pair] ?? [], runs[pair + 1] ?? [], compare));
    }
    runs = merged;
  }
  return new Uint32Array(runs[0] ?? []);
}

/**
 * An ordered sequence without some of its slots and with others in their places. Both lists are in order. What lies
 * between two of them is copied as a whole.
 */
export function* mergeChanges(
  order: Uint32Array,
  removed: Uint32Array,
  added: Uint32Array,
  compare: CompareSlots,
): Generator<void, Uint32Array> {
  const result = new Uint32Array(order.length - removed.length + added.length);
  let read = 0;
  let written = 0;
  const copyUntil = (position: number): void => {
    result.set(order.subarray(read, position), written);
    written += position - read;
    read = position;
  };
  const placeFor = (slot: number): number => placeOf(order, (other) => compare(other, slot) < 0, read);
  let out = 0;
  let into = 0;
  while (out < removed.length || into < added.length) {
    const leaving = removed[out];
    const arriving = added[into];
    if (arriving === undefined || (leaving !== undefined && compare(leaving, arriving) <= 0)) {
      copyUntil(placeFor(leaving ?? 0));
      read += 1;
      out += 1;
    } else {
      copyUntil(placeFor(arriving));
      result[written] = arriving;
      written += 1;
      into += 1;
    }
    if ((out + into) % run === 0) yield;
  }
  copyUntil(order.length);
  return result;
}

function* merge(a: readonly number[], b: readonly number[], compare: CompareSlots): Generator<void, readonly number[]> {
  const merged: number[] = [];
  yield;
  let inA = 0;
  let inB = 0;
  while (inA < a.length || inB < b.length) {
    const x = a[inA];
    const y = b[inB];
    if (y === undefined || (x !== undefined && compare(x, y) < 0)) {
      merged.push(x ?? 0);
      inA += 1;
    } else {
      merged.push(y);
      inB += 1;
    }
    if (merged.length % stepLength === 0) yield;
  }
  return merged;
}

/** The first position from `from` on whose slot is not before what is looked for. */
export function placeOf(order: Uint32Array, isBefore: (slot: number) => boolean, from = 0): number {
  let low = from;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(order[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
