import type { Call } from '../../call.ts';
import type { Products } from '../../product/products.port.ts';
import { Refusal } from '../../refusal.ts';
import { addKey, type IssuedKey } from '../issue-key.ts';
import type { NewKey } from '../new-key.ts';
import { rotateKey, type RotateKey } from '../rotate-key.ts';
import type { AllAppKeys } from './all-app-keys.port.ts';
import { appKeyKind, type AppKey, type AppKeyTerms } from './app-key.ts';

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
