import { compareCodePoints } from '../../core/code-points.ts';
import type { ReplaceOutcome } from '../../core/compare-and-set.ts';
import {
  factsOf,
  plainFacts,
  type NewProduct,
  type Product,
  type ProductFacts,
  type Products,
} from '../../core/product/products.port.ts';
import { areEqual } from '../../core/product/put-product.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryProducts implements Products {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(id: string): Promise<Product | null> {
    return this.#store.products.get(id) ?? null;
  }

  async page(after: string | null, limit: number): Promise<readonly Product[]> {
    const sorted = [...this.#store.products.values()].toSorted((a, b) => compareCodePoints(a.id, b.id));
    return sorted.filter(({ id }) => after === null || compareCodePoints(id, after) > 0).slice(0, limit);
  }

  async add(product: NewProduct): Promise<'added' | 'id taken'> {
    if (this.#store.products.has(product.id)) return 'id taken';
    this.#store.products.set(product.id, { ...plainFacts, ...product });
    return 'added';
  }

  async put(product: NewProduct): Promise<'added' | 'replaced' | 'unchanged'> {
    const known = this.#store.products.get(product.id);
    const next = { ...plainFacts, ...product, createdAt: known?.createdAt ?? product.createdAt };
    if (known !== undefined && areEqual(known, next)) return 'unchanged';
    this.#store.products.set(product.id, next);
    return known === undefined ? 'added' : 'replaced';
  }

  async replace(seen: Product, next: ProductFacts): Promise<ReplaceOutcome> {
    const stored = this.#store.products.get(seen.id);
    if (stored === undefined || !areEqual(stored, seen)) return { kind: 'stale' };
    this.#store.products.set(seen.id, { ...stored, ...factsOf(next) });
    return { kind: 'replaced' };
  }
}
