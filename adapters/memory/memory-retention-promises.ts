import type { RetentionPromises } from '../../core/entitlement/idempotency/idempotency.port.ts';
import type { RetentionPromise } from '../../core/entitlement/idempotency/retention.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryRetentionPromises implements RetentionPromises {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async list(): Promise<readonly RetentionPromise[]> {
    return [...this.#store.retentionPromises].map(([milliseconds, until]) => ({ milliseconds, until }));
  }

  async add({ milliseconds, until }: RetentionPromise): Promise<void> {
    const known = this.#store.retentionPromises.get(milliseconds);
    if (known === undefined || known < until) this.#store.retentionPromises.set(milliseconds, until);
  }
}
