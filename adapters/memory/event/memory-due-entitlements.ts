import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ClockChange, DueEntitlements } from '../../../core/entitlement/event/due-entitlements.port.ts';
import type { MemoryStore } from '../data/memory-store.ts';
import { appendEvents } from './memory-events.ts';

export class MemoryDueEntitlements implements DueEntitlements {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async due(until: Date, limit: number): Promise<readonly Entitlement[]> {
    const all = [...this.#store.entitlements.byId.values()];
    const due = all.flatMap((entitlement) => {
      const { nextEventAt } = entitlement;
      return nextEventAt !== null && nextEventAt <= until ? [{ entitlement, at: nextEventAt.getTime() }] : [];
    });
    const sorted = due.toSorted((a, b) => a.at - b.at);
    return sorted.slice(0, limit).map(({ entitlement }) => entitlement);
  }

  async ending(until: Date, limit: number): Promise<readonly Entitlement[]> {
    const all = [...this.#store.entitlements.byId.values()];
    const ending = all.flatMap((entitlement) => {
      const { unannouncedEnd, hold } = entitlement;
      const isEnding = unannouncedEnd !== null && unannouncedEnd <= until && hold.kind === 'none';
      return isEnding ? [{ entitlement, at: unannouncedEnd.getTime() }] : [];
    });
    const sorted = ending.toSorted((a, b) => a.at - b.at);
    return sorted.slice(0, limit).map(({ entitlement }) => entitlement);
  }

  async replace(changes: readonly ClockChange[], call: Call): Promise<number> {
    const { entitlements } = this.#store;
    let replaced = 0;
    for (const { seen, next, events } of changes) {
      if (entitlements.get(seen.id)?.revision === seen.revision) {
        entitlements.set(seen.id, next);
        appendEvents(this.#store, seen.productId, events, call.now);
        replaced += 1;
      }
    }
    return replaced;
  }
}
