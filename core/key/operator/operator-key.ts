import { keyKind } from '../key-kind.ts';
import type { KeyTerms, StoredKey } from '../stored-key.ts';

/** What an operator key may be used for. */
export const operatorScopes = [
  'admin:read',
  'admin:entitlements',
  'admin:catalog',
  'admin:waitlist',
  'admin:access',
] as const;

export type OperatorScope = (typeof operatorScopes)[number];

export function isOperatorScope(text: string): text is OperatorScope {
  return (operatorScopes as readonly string[]).includes(text);
}

/** What the administrator decides about a new operator key. */
export interface OperatorKeyTerms extends KeyTerms<OperatorScope> {
  /** Who or what uses the key, for people. */
  readonly name: string;
}

/** The credential of a system or person that administers over HTTP. */
export interface OperatorKey extends OperatorKeyTerms, StoredKey<OperatorScope> {}

export const operatorKeyKind = keyKind('svc_op_live_', {
  invalid: 'invalid_operator_key',
  notFound: 'operator_key_not_found',
  ended: 'operator_key_ended',
  exists: 'operator_key_exists',
});
