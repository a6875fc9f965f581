import type { Call } from '../call.ts';
import type { Product } from './product.ts';
import type { Products } from './products.port.ts';

/** A product after it was put, and whether that has changed anything. */
export interface PutProductAnswer {
  readonly product: Product;
  readonly outcome: 'added' | 'replaced' | 'unchanged';
}

/** Adds a product, or gives the product with this id another name. Putting a product again changes nothing. */
export type PutProduct = (id: string, name: string, call: Call) => Promise<PutProductAnswer>;

export function putProduct(products: Products): PutProduct {
  return async (id, name, call) => {
    const product = { id, name, createdAt: call.now };
    const outcome = await products.put(product, call);
    return { product: (outcome === 'added' ? null : await products.find(id, call)) ?? product, outcome };
  };
}
