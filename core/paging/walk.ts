import type { Call, NewCall } from '../call.ts';

/** Items that are read at once: about 2 ms of the process's time. */
const sliceSize = 200;

/** Reads at most `limit` items of a list after an item, or the first ones. */
export type ReadSlice<Item> = (after: Item | null, limit: number, call: Call) => Promise<readonly Item[]>;

/**
 * Walks over a whole list. Each slice is read with a call of its own, and other work goes on between two slices. An
 * item that exists during the whole walk appears exactly once.
 */
export async function* walk<Item>(readSlice: ReadSlice<Item>, newCall: NewCall): AsyncGenerator<Item, void, undefined> {
  for await (const items of slices(readSlice, newCall)) yield* items;
}

/** Yields the slices of such a walk, of at most 200 items. */
export async function* slices<Item>(
  readSlice: ReadSlice<Item>,
  newCall: NewCall,
): AsyncGenerator<readonly Item[], void, undefined> {
  let last: Item | null = null;
  for (;;) {
    const items: readonly Item[] = await readSlice(last, sliceSize, newCall());
    if (items.length > 0) yield items;
    const end = items.at(-1);
    if (end === undefined || items.length < sliceSize) return;
    last = end;
  }
}
