import type { Call, NewCall } from '../../call.ts';
import { pageOf, type Page, type PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import type { Products } from '../../product/products.port.ts';
import { Refusal } from '../../refusal.ts';
import { keyCursorAt, keyPositionIn } from '../list-keys.ts';
import type { AllAppKeys } from './all-app-keys.port.ts';
import type { AppKey } from './app-key.ts';

/**
 * Lists the app keys of a product, ended ones too: the oldest first, keys of one instant by id. Refuses with
 * `product_not_found`, and with `invalid_parameter` for a cursor of another list.
 */
export type ListAppKeys = (productId: string, page: PageRequest, call: Call) => Promise<Page<AppKey>>;

export function listAppKeys(products: Products, appKeys: AllAppKeys): ListAppKeys {
  return async (productId, page, call) => {
    const list = ['app keys', productId] as const;
    const after = keyPositionIn(list, page.after);
    if ((await products.find(productId, call)) === null) throw new Refusal('product_not_found');
    const found = await appKeys.page({ productId, after, limit: page.limit + 1 }, call);
    return pageOf(found, page, (last) => keyCursorAt(list, last));
  };
}

/** Walks over the app keys of every product in the order of `ListAppKeys`. */
export type EveryAppKey = (newCall: NewCall) => AsyncIterable<AppKey>;

export function everyAppKey(appKeys: AllAppKeys): EveryAppKey {
  return (newCall) => walk((after, limit, call) => appKeys.page({ productId: null, after, limit }, call), newCall);
}
