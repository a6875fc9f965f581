import type { Product } from '../../../core/product/products.port.ts';

/** A document of `products`: a product under its id. */
export type ProductDocument = { readonly _id: string } & Omit<Product, 'id'>;

export function toProductDocument({ id, ...facts }: Product): ProductDocument {
  return { _id: id, ...facts };
}

export function fromProductDocument({ _id, name, createdAt }: ProductDocument): Product {
  return { id: _id, name, createdAt };
}
