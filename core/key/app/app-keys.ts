import type { Call, NewCall } from '../../call.ts';
import { pageOf, type Page, type PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import type { Products } from '../../product/products.port.ts';
import { Refusal } from '../../refusal.ts';
import { addKey, rotateKey, type IssuedKey, type RotateKey } from '../change-keys.ts';
import { keyCursorAt, keyPositionIn } from '../key-cursor.ts';
import type { NewKey } from '../key-kind.ts';
import { appKeyKind, type AppKey, type AppKeyTerms } from './app-key.ts';
import type { AllAppKeys } from './app-keys.port.ts';

export interface AppKeyRequest extends AppKeyTerms {
  /** Null for a generated id. */
  readonly id: string | null;
}

/**
 * Issues an app key for a product. With the id of a key of the product, nothing is issued and that key is returned, so
 * that a request is safe to repeat. Refuses with `product_not_found`, with `app_key_exists` for the id of another
 * product's key, and with `expiry_too_early` unless the key expires later than now.
 */
export type IssueAppKey = (request: AppKeyRequest, call: Call) => Promise<IssuedKey<AppKey>>;

export function issueAppKey(products: Products, appKeys: AllAppKeys, makeKey: NewKey): IssueAppKey {
  return async ({ id, productId, scopes, expiresAt }, call) => {
    if ((await products.find(productId, call)) === null) throw new Refusal('product_not_found');
    const { key, facts } = makeKey(id, call.now);
    const made = { key, stored: { ...facts, productId, scopes, expiresAt } };
    return addKey(appKeyKind, appKeys, made, (known) => known.productId === productId, call);
  };
}

/** Rotates an app key, as `RotateKey` describes; the new key has the product and the scopes of the old one. */
export function rotateAppKey(appKeys: AllAppKeys, makeKey: NewKey): RotateKey<AppKey> {
  return rotateKey(appKeyKind, appKeys, makeKey, haveSameTerms);
}

function haveSameTerms(a: AppKey, b: AppKey): boolean {
  return a.productId === b.productId && a.scopes.join(' ') === b.scopes.join(' ');
}

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
