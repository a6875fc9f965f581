import { compareCodePoints } from '../../../core/code-points.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { reaches, type Reach } from '../../../core/reach.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import type { EndpointPart, WebhookEndpoints } from '../../../core/webhook/webhook-endpoints.port.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryWebhookEndpoints implements WebhookEndpoints {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(id: string): Promise<WebhookEndpoint | null> {
    return this.#store.endpoints.get(id) ?? null;
  }

  async page({ products, after, limit }: EndpointPart): Promise<readonly WebhookEndpoint[]> {
    const wanted = [...this.#store.endpoints.values()].filter(
      ({ productId }) => products === null || products.includes(productId ?? ''),
    );
    const sorted = wanted.toSorted((a, b) => compareCodePoints(a.id, b.id));
    return sorted.filter(({ id }) => after === null || compareCodePoints(id, after) > 0).slice(0, limit);
  }

  async add(endpoint: WebhookEndpoint): Promise<'added' | 'id taken'> {
    if (this.#store.endpoints.has(endpoint.id)) return 'id taken';
    this.#store.endpoints.set(endpoint.id, endpoint);
    return 'added';
  }

  async replace(next: WebhookEndpoint): Promise<ReplaceOutcome> {
    const stored = this.#store.endpoints.get(next.id);
    if (stored?.revision !== next.revision - 1 || stored.addition !== next.addition) return { kind: 'stale' };
    this.#store.endpoints.set(next.id, next);
    return { kind: 'replaced' };
  }

  async remove(id: string, products: Reach): Promise<boolean> {
    const stored = this.#store.endpoints.get(id);
    if (stored === undefined || !reaches(products, stored.productId)) return false;
    return this.#store.endpoints.delete(id);
  }
}
