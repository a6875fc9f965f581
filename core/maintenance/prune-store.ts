import type { NewCall } from '../call.ts';
import type { Maintenance, PruneCursor } from './maintenance.port.ts';

/**
 * Removes every expired idempotency record, slice by slice, each with a call of its own. Returns the number removed.
 */
export type PruneStore = (newCall: NewCall) => Promise<number>;

export function pruneStore(maintenance: Maintenance): PruneStore {
  return async (newCall) => {
    let removed = 0;
    let cursor: PruneCursor | null = null;
    do {
      const slice = await maintenance.prune(cursor, newCall());
      removed += slice.removed;
      cursor = slice.next;
    } while (cursor !== null);
    return removed;
  };
}
