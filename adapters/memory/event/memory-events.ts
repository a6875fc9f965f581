import type { EntitlementEvent } from '../../../core/event/entitlement-event.ts';
import type { EventPage, Events } from '../../../core/event/events.port.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryEvents implements Events {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async page(productId: string, after: number, limit: number): Promise<EventPage> {
    const log = this.#store.events.get(productId) ?? [];
    const events = log.slice(after, after + limit).map((event, index) => ({ position: after + index + 1, event }));
    return { events, first: Math.min(1, log.length), last: log.length };
  }
}

/** Appends events to the log of their product. */
export function appendEvents(store: MemoryStore, productId: string, events: readonly EntitlementEvent[]): void {
  const log = store.events.get(productId) ?? [];
  log.push(...events);
  store.events.set(productId, log);
}
