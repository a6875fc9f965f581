import type { NewCall } from '../call.ts';
import { everyProduct } from '../product/list-products.ts';
import type { Products } from '../product/products.port.ts';
import type { Events } from './events.port.ts';

/**
 * Removes the events of all products that were stored `retention` milliseconds ago or earlier, as far as `Events.prune`
 * may, slice by slice, each with a call of its own. Returns the number removed. Ends early once `isStopped` returns true.
 */
export type PruneEvents = (retention: number, newCall: NewCall, isStopped?: () => boolean) => Promise<number>;

export function pruneEvents(events: Events, products: Products): PruneEvents {
  return async (retention, newCall, isStopped = () => false) => {
    let removed = 0;
    for await (const { id } of everyProduct(products)(newCall)) {
      let slice = 0;
      do {
        if (isStopped()) return removed;
        const call = newCall();
        slice = await events.prune(id, new Date(call.now.getTime() - retention), call);
        removed += slice;
      } while (slice > 0);
    }
    return removed;
  };
}
