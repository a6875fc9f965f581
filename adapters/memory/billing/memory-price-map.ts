import { isSameMapping, type PriceMap, type PriceMapping } from '../../../core/billing/price-map.port.ts';
import { compareCodePoints } from '../../../core/code-points.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryPriceMap implements PriceMap {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(price: string): Promise<PriceMapping | null> {
    return this.#store.prices.get(price) ?? null;
  }

  async page(after: string | null, limit: number): Promise<readonly PriceMapping[]> {
    const sorted = [...this.#store.prices.values()].toSorted((a, b) => compareCodePoints(a.price, b.price));
    return sorted.filter(({ price }) => after === null || compareCodePoints(price, after) > 0).slice(0, limit);
  }

  async put(mapping: PriceMapping): Promise<'added' | 'replaced' | 'unchanged'> {
    const known = this.#store.prices.get(mapping.price);
    if (known !== undefined && isSameMapping(known, mapping)) return 'unchanged';
    this.#store.prices.set(mapping.price, mapping);
    return known === undefined ? 'added' : 'replaced';
  }

  async remove(price: string): Promise<boolean> {
    return this.#store.prices.delete(price);
  }
}
