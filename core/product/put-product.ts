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

/** A product after it was renamed, and whether this call has done it. */
export interface RenamedProduct {
  readonly product: Product;
  readonly changed: boolean;
}

/**
 * Gives a product another name, after somebody has looked at it. One that has the name already stays as it is. Refuses
 * with `changed_meanwhile` if it has neither that name nor the one that was seen.
 */
export type RenameProduct = (seen: Product, name: string, call: Call) => Promise<RenamedProduct>;

export function renameProduct(products: Products): RenameProduct {
  return async (seen, name, call) => {
    if (seen.name === name) return { product: seen, changed: false };
    const { kind } = await products.rename(seen, name, call);
    if (kind === 'replaced') return { product: { ...seen, name }, changed: true };
    const product = await products.find(seen.id, call);
    if (product?.name !== name) throw new Refusal('changed_meanwhile');
    return { product, changed: false };
  };
}
