import type { Call, NewCall } from '../../call.ts';
import { pageOf, type Page, type PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import type { Products } from '../../product/products.port.ts';
import { Refusal } from '../../refusal.ts';
import { addKey, rotateKey, type IssuedKey, type RotateKey } from '../change-keys.ts';
import { keyCursorAt, keyPositionIn } from '../key-cursor.ts';
import type { NewKey } from '../key-kind.ts';
import { isScopeOfLimited, operatorKeyKind, type OperatorKey, type OperatorKeyTerms } from './operator-key.ts';
import type { AllOperatorKeys } from './operator-keys.port.ts';

export interface OperatorKeyRequest extends OperatorKeyTerms {
  /** Null for a generated id. */
  readonly id: string | null;
}

/**
 * Issues an operator key. With the id of a key of the same name and products, nothing is issued and that key is returned, so
 * that a request is safe to repeat. Refuses with `operator_key_exists` for the id of any other key; with
 * `product_not_found`; with `limited_key` for a scope that a key with products cannot have; and with `expiry_too_early`
 * unless the key expires later than now.
 */
export type IssueOperatorKey = (request: OperatorKeyRequest, call: Call) => Promise<IssuedKey<OperatorKey>>;

export function issueOperatorKey(
  allProducts: Products,
  operatorKeys: AllOperatorKeys,
  makeKey: NewKey,
): IssueOperatorKey {
  return async ({ id, name, products, scopes, expiresAt }, call) => {
    if (products !== null && !scopes.every(isScopeOfLimited)) throw new Refusal('limited_key');
    const found = await Promise.all((products ?? []).map((productId) => allProducts.find(productId, call)));
    if (found.includes(null)) throw new Refusal('product_not_found');
    const { key, facts } = makeKey(id, call.now);
    const made = { key, stored: { ...facts, name, products, scopes, expiresAt } };
    const isSame = (known: OperatorKey): boolean => known.name === name && haveSameProducts(known, { products });
    return addKey(operatorKeyKind, operatorKeys, made, isSame, call);
  };
}

/** Rotates an operator key, as `RotateKey` describes; the new key has the name, the products and the scopes of the old one. */
export function rotateOperatorKey(operatorKeys: AllOperatorKeys, makeKey: NewKey): RotateKey<OperatorKey> {
  return rotateKey(operatorKeyKind, operatorKeys, makeKey, haveSameTerms);
}

function haveSameTerms(a: OperatorKey, b: OperatorKey): boolean {
  return a.name === b.name && haveSameProducts(a, b) && a.scopes.join(' ') === b.scopes.join(' ');
}

function haveSameProducts(a: Pick<OperatorKey, 'products'>, b: Pick<OperatorKey, 'products'>): boolean {
  return a.products?.join(' ') === b.products?.join(' ');
}

const list = ['operator keys'] as const;

/**
 * Lists the operator keys, ended ones too: the oldest first, keys of one instant by id. Refuses with
 * `invalid_parameter` for a cursor of another list.
 */
export type ListOperatorKeys = (page: PageRequest, call: Call) => Promise<Page<OperatorKey>>;

export function listOperatorKeys(operatorKeys: AllOperatorKeys): ListOperatorKeys {
  return async (page, call) => {
    const after = keyPositionIn(list, page.after);
    const found = await operatorKeys.page({ after, limit: page.limit + 1 }, call);
    return pageOf(found, page, (last) => keyCursorAt(list, last));
  };
}

/** Walks over every operator key in the order of `ListOperatorKeys`. */
export type EveryOperatorKey = (newCall: NewCall) => AsyncIterable<OperatorKey>;

export function everyOperatorKey(operatorKeys: AllOperatorKeys): EveryOperatorKey {
  return (newCall) => walk((after, limit, call) => operatorKeys.page({ after, limit }, call), newCall);
}
