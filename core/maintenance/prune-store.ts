import type { NewCall } from '../call.ts';
import type { Maintenance, PruneMark } from './maintenance.port.ts';

/** Removes every expired idempotency record, slice by slice, each with a call of its own, and returns how many that were. */
export type PruneStore = (newCall: NewCall) => Promise<number>;

export function pruneStore(maintenance: Maintenance): PruneStore {
  return async (newCall) => {
    let removed = 0;
    let mark: PruneMark | null = null;
    do {
      const slice = await maintenance.prune(mark, newCall());
      removed += slice.removed;
      mark = slice.next;
    } while (mark !== null);
    return removed;
  };
}
