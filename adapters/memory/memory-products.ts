import { compareCodePoints } from '../../core/code-points.ts';
import type { Product } from '../../core/product/product.ts';
import type { Products } from '../../core/product/products.port.ts';
import type { MemoryStore } from './memory-store.ts';

export class MemoryProducts implements Products {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(id: string): Promise<Product | null> {
    return this.#store.products.get(id) ?? null;
  }

  async list(): Promise<readonly Product[]> {
    return [...this.#store.products.values()].toSorted((a, b) => compareCodePoints(a.id, b.id));
  }

  async add(product: Product): Promise<'added' | 'id taken'> {
    if (this.#store.products.has(product.id)) return 'id taken';
    this.#store.products.set(product.id, product);
    return 'added';
  }
}
