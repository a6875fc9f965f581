import type { AppKey } from '../../core/access/app-key.ts';
import type { AppKeys } from '../../core/access/app-keys.port.ts';
import type { MemoryStore } from './memory-store.ts';

export class MemoryAppKeys implements AppKeys {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(digest: string): Promise<AppKey | null> {
    return this.#store.appKeys.get(digest) ?? null;
  }

  recordUse(id: string, at: Date): void {
    for (const key of this.#store.appKeys.values()) {
      const isLatest = key.lastUsedAt === null || key.lastUsedAt < at;
      if (key.id === id && isLatest) this.#store.appKeys.set(key.digest, { ...key, lastUsedAt: at });
    }
  }
}
