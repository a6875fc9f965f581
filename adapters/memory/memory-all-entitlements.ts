import { compareCodePoints } from '../../core/code-points.ts';
import type {
  AddOutcome,
  AllEntitlements,
  ChangeOutcome,
  EntitlementKeys,
} from '../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../core/entitlement/entitlement.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryAllEntitlements implements AllEntitlements {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(id: string): Promise<Entitlement | null> {
    return this.#store.entitlements.get(id) ?? null;
  }

  async findByLicense(digest: string): Promise<Entitlement | null> {
    const id = this.#store.licenses.get(digest);
    return id === undefined ? null : this.find(id);
  }

  async *list(productId: string | null): AsyncIterable<Entitlement> {
    const ids = [...this.#store.entitlements.keys()].toSorted(compareCodePoints);
    for (const id of ids) {
      const entitlement = await this.find(id);
      if (entitlement !== null && (productId === null || entitlement.productId === productId)) yield entitlement;
    }
  }

  async add(entitlements: readonly Entitlement[]): Promise<readonly AddOutcome[]> {
    return entitlements.map((entitlement) => {
      if (this.#store.entitlements.has(entitlement.id)) return { kind: 'id taken' };
      const digest = entitlement.license?.digest;
      if (digest !== undefined && this.#store.licenses.has(digest)) return { kind: 'license taken' };
      this.#put(entitlement);
      return { kind: 'added' };
    });
  }

  async findExisting({
    ids,
    digests,
  }: EntitlementKeys<readonly string[]>): Promise<EntitlementKeys<ReadonlySet<string>>> {
    return {
      ids: new Set(ids.filter((id) => this.#store.entitlements.has(id))),
      digests: new Set(digests.filter((digest) => this.#store.licenses.has(digest))),
    };
  }

  async change(seen: Entitlement, next: Entitlement): Promise<ChangeOutcome> {
    if (this.#store.entitlements.get(seen.id)?.revision !== seen.revision) return { kind: 'stale' };
    const holder = next.license === null ? undefined : this.#store.licenses.get(next.license.digest);
    if (holder !== undefined && holder !== seen.id) return { kind: 'license taken' };
    if (seen.license !== null) this.#store.licenses.delete(seen.license.digest);
    this.#put(next);
    return { kind: 'changed' };
  }

  #put(entitlement: Entitlement): void {
    this.#store.entitlements.set(entitlement.id, entitlement);
    if (entitlement.license !== null) this.#store.licenses.set(entitlement.license.digest, entitlement.id);
  }
}
