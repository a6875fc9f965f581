import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Product, Products } from './products.port.ts';

/** Adds a product. Refuses with `product_exists`. */
export type AddProduct = (id: string, name: string, call: Call) => Promise<Product>;

export function addProduct(products: Products): AddProduct {
  return async (id, name, call) => {
    const product: Product = { id, name, createdAt: call.now };
    if ((await products.add(product, call)) === 'id taken') throw new Refusal('product_exists');
    return product;
  };
}

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
