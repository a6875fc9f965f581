import type { Call, NewCall } from '../call.ts';

/** Removes part by part, each with a call of its own, until a part has nothing to remove. Returns the number removed. */
export async function removeInParts(remove: (call: Call) => Promise<number>, newCall: NewCall): Promise<number> {
  let removed = 0;
  let part: number;
  do {
    part = await remove(newCall());
    removed += part;
  } while (part > 0);
  return removed;
}
