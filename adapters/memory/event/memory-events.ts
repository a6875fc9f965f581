import type { EventPage, Events } from '../../../core/feed/events.port.ts';
import type { LoggedEvent } from '../../../core/feed/logged-event.ts';
import { firstKept } from '../../../core/feed/prune-events.ts';
import { firstNeeded, keyOf, streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import { isForProduct } from '../../../core/webhook/webhook-endpoint.ts';
import type { MemoryLog, MemoryStore } from '../data/memory-store.ts';

export class MemoryEvents implements Events {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async page(productId: string, after: number, limit: number): Promise<EventPage> {
    const { removed, stored } = logOf(this.#store, productId);
    const from = Math.max(0, after - removed);
    const events = stored
      .slice(from, from + limit)
      .map(({ event }, index) => ({ position: removed + from + index + 1, event }));
    return { events, first: stored.length === 0 ? 0 : removed + 1, last: removed + stored.length };
  }

  async prune(productId: string, until: Date): Promise<number> {
    const log = logOf(this.#store, productId);
    const parts = log.stored.map(({ storedAt }, index) => ({ first: log.removed + index + 1, storedAt }));
    const kept = firstKept(parts, { until, needed: this.#firstNeeded(productId) });
    const removed = log.stored.splice(0, kept - log.removed - 1).length;
    log.removed += removed;
    return removed;
  }

  #firstNeeded(productId: string): number {
    const { endpoints, streams, aside } = this.#store;
    const needed = [...endpoints.values()]
      .filter((endpoint) => isForProduct(endpoint, productId))
      .map((endpoint) => keyOf(streamName(endpoint, productId)))
      .map((key) => {
        const stream = streams.get(key);
        // A product without a stream is newer than the endpoint, which gets its whole log.
        if (stream === undefined) return 1;
        const waiting = [...(aside.get(key)?.values() ?? [])].flatMap(({ positions }) => positions);
        return Math.min(firstNeeded(stream), ...waiting);
      });
    return Math.min(...needed);
  }

  async catchUp(): Promise<void> {}

  async lastPosition(productId: string): Promise<number> {
    const { removed, stored } = logOf(this.#store, productId);
    return removed + stored.length;
  }

  async lastPositions(productIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const logs = productIds.flatMap((id) => {
      const log = this.#store.events.get(id);
      return log === undefined ? [] : [[id, log.removed + log.stored.length] as const];
    });
    return new Map(logs);
  }
}

/** Appends events to the log of their product. */
export function appendEvents(
  store: MemoryStore,
  productId: string,
  events: readonly LoggedEvent[],
  storedAt: Date,
): void {
  const log = logOf(store, productId);
  log.stored.push(...events.map((event) => ({ event, storedAt })));
  store.events.set(productId, log);
}

function logOf(store: MemoryStore, productId: string): MemoryLog {
  return store.events.get(productId) ?? { removed: 0, stored: [] };
}
