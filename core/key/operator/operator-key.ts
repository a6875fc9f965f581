import { identifierRule } from '../../identifier.ts';
import type { ValueRule } from '../../parsing/value-rule.ts';
import { inOrder } from '../../reach.ts';
import { keyKind } from '../key-kind.ts';
import type { KeyTerms, StoredKey } from '../stored-key.ts';

/** The uses of an operator key. */
export const operatorScopes = [
  'admin:read',
  'admin:entitlements',
  'admin:catalog',
  'admin:affiliates',
  'admin:waitlist',
  'admin:access',
] as const;

export type OperatorScope = (typeof operatorScopes)[number];

export function isOperatorScope(text: string): text is OperatorScope {
  return (operatorScopes as readonly string[]).includes(text);
}

/** The uses of a key that is limited to products. The waitlist belongs to no product. */
export const scopesOfLimited: readonly OperatorScope[] = operatorScopes.filter((scope) => scope !== 'admin:waitlist');

export function isScopeOfLimited(scope: OperatorScope): boolean {
  return scopesOfLimited.includes(scope);
}

/** The administrator's terms for a new operator key. */
export interface OperatorKeyTerms extends KeyTerms<OperatorScope> {
  /** Who or what uses the key, for people. */
  readonly name: string;
  /** The products that the key is limited to, by id in code-point order; null for every product and what belongs to none. */
  readonly products: readonly string[] | null;
}

/** The maximum number of products that a key can be limited to. */
export const maxProducts = 20;

/** The rule for the products of a key, each once and by id. In a text, they have spaces between them. */
export const productsRule: ValueRule<readonly string[]> = {
  parse: (text) => productsIn(text.split(/\s+/)),
  read: (member) => (Array.isArray(member) ? productsIn(member) : null),
  rule: `must be 1 to ${maxProducts} ids of products`,
};

function productsIn(given: readonly unknown[]): readonly string[] | null {
  const ids = inOrder(given.filter((id) => typeof id === 'string'));
  const isValid = given.every((id) => identifierRule.read(id) !== null);
  return isValid && ids.length >= 1 && ids.length <= maxProducts ? ids : null;
}

/** The credential of a system or person that administers over HTTP. */
export interface OperatorKey extends OperatorKeyTerms, StoredKey<OperatorScope> {}

/** The reach of a caller who presents the key. */
export function reachOf({ products }: Pick<OperatorKey, 'products'>): ReadonlySet<string> | null {
  return products && new Set(products);
}

/**
 * Whether a key may draft listings on the console, which a key with `admin:catalog` publishes: one that is limited to products,
 * with `admin:entitlements` and without `admin:catalog`.
 */
export function isDrafter({ products, scopes }: Pick<OperatorKey, 'products' | 'scopes'>): boolean {
  return products !== null && scopes.includes('admin:entitlements') && !scopes.includes('admin:catalog');
}

export const operatorKeyKind = keyKind('svc_op_live_', {
  invalid: 'invalid_operator_key',
  notFound: 'operator_key_not_found',
  ended: 'operator_key_ended',
  exists: 'operator_key_exists',
});
