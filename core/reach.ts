import type { Call } from './call.ts';
import { compareCodePoints } from './code-points.ts';
import { Refusal } from './refusal.ts';

/** The products that a caller may reach; null for every product, and what belongs to none. */
export type Reach = Call['products'];

/** A thing of a product, or of no product. */
interface Owned {
  readonly productId: string | null;
}

export function reaches(products: Reach, productId: string | null): boolean {
  return products === null || (productId !== null && products.has(productId));
}

/** The item, if the caller may know of it. */
export function visible<Item extends Owned>(item: Item | null, { products }: Pick<Call, 'products'>): Item | null {
  return item !== null && reaches(products, item.productId) ? item : null;
}

/** Refuses with `limited_key` unless the caller reaches each of the products. */
export function requireReach({ products }: Pick<Call, 'products'>, ...productIds: readonly (string | null)[]): void {
  if (!productIds.every((id) => reaches(products, id))) throw new Refusal('limited_key');
}

/** Refuses a limited caller with `limited_key`. */
export function requireUnlimited({ products }: Pick<Call, 'products'>): void {
  if (products !== null) throw new Refusal('limited_key');
}

/** Whether a key that is limited to products reaches no more than a caller does. */
export function isWithin(products: readonly string[] | null, reach: Reach): boolean {
  return reach === null || (products !== null && products.every((id) => reach.has(id)));
}

/** Names a reach: what is kept for several callers is kept under it. */
export function reachName(products: Reach): string {
  return products === null ? '*' : inOrder(products).join(' ');
}

/** The products of a reach, by id in code-point order. */
export function inOrder(products: Iterable<string>): readonly string[] {
  return [...new Set(products)].toSorted(compareCodePoints);
}
