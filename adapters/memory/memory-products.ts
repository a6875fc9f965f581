import { compareCodePoints } from '../../core/code-points.ts';
import type { ReplaceOutcome } from '../../core/compare-and-set.ts';
import type { Product, Products } from '../../core/product/products.port.ts';
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

  async add(product: Product): Promise<'added' | 'id taken'> {
    if (this.#store.products.has(product.id)) return 'id taken';
    this.#store.products.set(product.id, product);
    return 'added';
  }

  async put(product: Product): Promise<'added' | 'replaced' | 'unchanged'> {
    const known = this.#store.products.get(product.id);
    if (known?.name === product.name) return 'unchanged';
    this.#store.products.set(product.id, { ...product, createdAt: known?.createdAt ?? product.createdAt });
    return known === undefined ? 'added' : 'replaced';
  }

  async rename({ id, name: seen }: Product, name: string): Promise<ReplaceOutcome> {
    const stored = this.#store.products.get(id);
    if (stored?.name !== seen) return { kind: 'stale' };
    this.#store.products.set(id, { ...stored, name });
    return { kind: 'replaced' };
  }
}
