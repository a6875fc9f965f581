import type { Call, NewCall } from '../call.ts';

/** Items that are read at once: about 2 ms of the process's time. */
const sliceSize = 200;

/**
 * Walks over a whole list, each slice read with a call of its own. Other work goes on between two slices. What exists
 * during the whole walk appears exactly once. `readSlice` reads at most `limit` items after an item, or the first ones.
 */
export async function* walk<Item>(
  readSlice: (after: Item | null, limit: number, call: Call) => Promise<readonly Item[]>,
  newCall: NewCall,
): AsyncGenerator<Item, void, undefined> {
  let last: Item | null = null;
  for (;;) {
    const items: readonly Item[] = await readSlice(last, sliceSize, newCall());
    yield* items;
    const end = items.at(-1);
    if (end === undefined || items.length < sliceSize) return;
    last = end;
  }
}
