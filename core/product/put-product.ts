import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import { factNames, plainFacts, type Product, type ProductFacts, type Products } from './products.port.ts';

/** Adds a product with a name alone. Refuses with `product_exists`. */
export type AddProduct = (id: string, name: string, call: Call) => Promise<Product>;

export function addProduct(products: Products): AddProduct {
  return async (id, name, call) => {
    const product: Product = { id, name, createdAt: call.now, ...plainFacts };
    if ((await products.add(product, call)) === 'id taken') throw new Refusal('product_exists');
    return product;
  };
}

/** A product after it was put, and whether that has changed anything. */
export interface PutProductAnswer {
  readonly product: Product;
  readonly outcome: 'added' | 'replaced' | 'unchanged';
}

/** Adds a product, or gives the product with this id its facts. Putting a product again changes nothing. */
export type PutProduct = (id: string, facts: ProductFacts, call: Call) => Promise<PutProductAnswer>;

export function putProduct(products: Products): PutProduct {
  return async (id, facts, call) => {
    const product = { id, createdAt: call.now, ...facts };
    const outcome = await products.put(product, call);
    return { product: (outcome === 'added' ? null : await products.find(id, call)) ?? product, outcome };
  };
}

/** A product after it was changed, and whether this call has done it. */
export interface ChangedProduct {
  readonly product: Product;
  readonly changed: boolean;
}

/**
 * Gives a product other facts, after somebody has looked at it. Facts that it has already stay as they are. Refuses
 * with `changed_meanwhile` if it is neither as it was seen nor as it should be.
 */
export type ChangeProduct = (seen: Product, change: Partial<ProductFacts>, call: Call) => Promise<ChangedProduct>;

export function changeProduct(products: Products): ChangeProduct {
  return async (seen, change, call) => {
    const next = { ...seen, ...change };
    if (areEqual(seen, next)) return { product: seen, changed: false };
    const { kind } = await products.replace(seen, next, call);
    if (kind === 'replaced') return { product: next, changed: true };
    const product = await products.find(seen.id, call);
    if (product === null || !areEqual(product, next)) throw new Refusal('changed_meanwhile');
    return { product, changed: false };
  };
}

/** Whether two products have the same facts. */
export function areEqual(one: ProductFacts, other: ProductFacts): boolean {
  return factNames.every((name) => one[name] === other[name]);
}
