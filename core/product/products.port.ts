import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';

/** A product that a merchant sells. App keys and entitlements belong to one. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface Products {
  find(id: string, call: Call): Promise<Product | null>;

  /** Lists at most `limit` products after an id, or the first ones, by id in code-point order. */
  page(after: string | null, limit: number, call: Call): Promise<readonly Product[]>;

  add(product: Product, call: Call): Promise<'added' | 'id taken'>;

  /**
   * Adds a product, or gives the product with its id its name; the instant of its creation stays. Safe to repeat: a
   * write that had to be repeated may return `unchanged` for what it has done itself.
   */
  put(product: Product, call: Call): Promise<'added' | 'replaced' | 'unchanged'>;

  /** Gives a product another name, if it still has the one that was seen. */
  rename(seen: Product, name: string, call: Call): Promise<ReplaceOutcome>;
}
