import type { EntitlementHistory } from '../../core/entitlement/administration/all-entitlements.port.ts';
import type { HistoryEntry } from '../../core/entitlement/history-entry.ts';
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
