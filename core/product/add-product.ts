import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Product } from './product.ts';
import type { Products } from './products.port.ts';

/** Adds a product. Refuses with `product_exists`. */
export type AddProduct = (id: string, name: string, call: Call) => Promise<Product>;

export function addProduct(products: Products): AddProduct {
  return async (id, name, call) => {
    const product: Product = { id, name, createdAt: call.now };
    if ((await products.add(product, call)) === 'id taken') throw new Refusal('product_exists');
    return product;
  };
}
