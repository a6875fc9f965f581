import type { EntitlementHistory } from '../../core/entitlement/administration/entitlement-history.port.ts';
import { maxHistory, type HistoryEntry } from '../../core/entitlement/history-entry.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryEntitlementHistory implements EntitlementHistory {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async list(entitlementId: string): Promise<readonly HistoryEntry[]> {
    return this.#store.history.get(entitlementId) ?? [];
  }
}

/** Adds an entry to the history of an entitlement, which forgets the oldest one beyond the limit. */
export function remember(store: MemoryStore, entitlementId: string, entry: HistoryEntry): void {
  store.history.set(entitlementId, [entry, ...(store.history.get(entitlementId) ?? [])].slice(0, maxHistory));
}
