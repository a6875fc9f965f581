import type { Call } from '../call.ts';
import type { Product } from './product.ts';

export interface Products {
  find(id: string, call: Call): Promise<Product | null>;

  /** Lists every product, by id in code-point order. */
  list(call: Call): Promise<readonly Product[]>;

  add(product: Product, call: Call): Promise<'added' | 'id taken'>;
}
