import type { AllAppKeys } from '../../core/access/all-app-keys.port.ts';
import type { AppKey } from '../../core/access/app-key.ts';
import { compareCodePoints } from '../../core/code-points.ts';
import type { MemoryStore } from './memory-store.ts';

export class MemoryAllAppKeys implements AllAppKeys {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(id: string): Promise<AppKey | null> {
    return this.#find(id);
  }

  async list(): Promise<readonly AppKey[]> {
    return [...this.#store.appKeys.values()].toSorted(
      (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || compareCodePoints(a.id, b.id),
    );
  }

  async add(key: AppKey): Promise<void> {
    this.#store.appKeys.set(key.digest, key);
  }

  async end(id: string, by: { readonly revokedAt: Date } | { readonly expiresAt: Date }): Promise<void> {
    const key = this.#find(id);
    if (key === null || key.revokedAt !== null) return;
    if ('expiresAt' in by && key.expiresAt !== null && key.expiresAt <= by.expiresAt) return;
    this.#store.appKeys.set(key.digest, { ...key, ...by });
  }

  #find(id: string): AppKey | null {
    return [...this.#store.appKeys.values()].find((key) => key.id === id) ?? null;
  }
}
