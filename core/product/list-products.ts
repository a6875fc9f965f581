import type { Call, NewCall } from '../call.ts';
import { cursorAt, textIn } from '../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../paging/page.ts';
import { slices, walk } from '../paging/walk.ts';
import type { Product, Products } from './products.port.ts';

const list = ['products'] as const;

/** Lists products by id in code-point order. Refuses with `invalid_parameter` for a cursor of another list. */
export type ListProducts = (page: PageRequest, call: Call) => Promise<Page<Product>>;

export function listProducts(products: Products): ListProducts {
  return async (page, call) => {
    const after = textIn(list, page.after);
    const found = await products.page(after, page.limit + 1, call);
    return pageOf(found, page, ({ id }) => cursorAt(list, [id]));
  };
}

/** Walks over every product in the order of `ListProducts`. */
export type EveryProduct = (newCall: NewCall) => AsyncIterable<Product>;

export function everyProduct(products: Pick<Products, 'page'>): EveryProduct {
  return (newCall) => walk((after, limit, call) => products.page(after?.id ?? null, limit, call), newCall);
}

/** Yields the same products in slices. */
export function productSlices(products: Pick<Products, 'page'>, newCall: NewCall): AsyncIterable<readonly Product[]> {
  return slices((after, limit, call) => products.page(after?.id ?? null, limit, call), newCall);
}
