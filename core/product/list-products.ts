import type { Call } from '../call.ts';
import type { Product } from './product.ts';
import type { Products } from './products.port.ts';

/** All products, by id in code-point order. */
export type ListProducts = (call: Call) => Promise<readonly Product[]>;

export function listProducts(products: Products): ListProducts {
  return (call) => products.list(call);
}
