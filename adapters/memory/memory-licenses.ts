import type { Entitlement } from '../../core/entitlement/entitlement.ts';
import type { Licenses } from '../../core/entitlement/license/licenses.port.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryLicenses implements Licenses {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(digest: string): Promise<Entitlement | null> {
    const id = this.#store.entitlements.licenses.get(digest);
    return (id === undefined ? undefined : this.#store.entitlements.get(id)) ?? null;
  }
}
