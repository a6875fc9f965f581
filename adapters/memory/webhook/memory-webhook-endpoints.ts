import { compareCodePoints } from '../../../core/code-points.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../../../core/webhook/webhook-endpoints.port.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryWebhookEndpoints implements WebhookEndpoints {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(id: string): Promise<WebhookEndpoint | null> {
    return this.#store.endpoints.get(id) ?? null;
  }

  async page(after: string | null, limit: number): Promise<readonly WebhookEndpoint[]> {
    const sorted = [...this.#store.endpoints.values()].toSorted((a, b) => compareCodePoints(a.id, b.id));
    return sorted.filter(({ id }) => after === null || compareCodePoints(id, after) > 0).slice(0, limit);
  }

  async add(endpoint: WebhookEndpoint): Promise<'added' | 'id taken'> {
    if (this.#store.endpoints.has(endpoint.id)) return 'id taken';
    this.#store.endpoints.set(endpoint.id, endpoint);
    return 'added';
  }

  async replace(next: WebhookEndpoint): Promise<ReplaceOutcome> {
    if (this.#store.endpoints.get(next.id)?.revision !== next.revision - 1) return { kind: 'stale' };
    this.#store.endpoints.set(next.id, next);
    return { kind: 'replaced' };
  }

  async remove(id: string): Promise<boolean> {
    return this.#store.endpoints.delete(id);
  }
}
