import type { NewCall } from '../call.ts';
import { everyProduct } from '../product/list-products.ts';
import type { Products } from '../product/products.port.ts';
import type { Events } from './events.port.ts';

/** A part of a log that is removed as a whole: an event, or events that were stored together. */
export interface LogPart {
  /** The position of its first event. */
  readonly first: number;
  readonly storedAt: Date;
}

/** The events that a log must keep. */
export interface KeptEvents {
  /** Events that were stored after this instant. */
  readonly until: Date;
  /** The first position that a webhook endpoint has not received; infinite if every endpoint has everything. */
  readonly needed: number;
}

/**
 * The first position to keep, given the oldest parts of a log in their order. The last part is always kept, because the
 * position of the next event follows from it. Returns 0 for an empty log.
 */
export function firstKept(oldest: readonly LogPart[], { until, needed }: KeptEvents): number {
  const kept = oldest.find(({ storedAt }, index) => {
    const next = oldest[index + 1];
    const isRemovable = next !== undefined && storedAt <= until && next.first <= needed;
    return !isRemovable;
  });
  return kept?.first ?? 0;
}

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
