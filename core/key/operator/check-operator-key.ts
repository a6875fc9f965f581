import type { Crc32, Digest } from '../../secret.ts';
import { authenticateKey, authorizeKey, type AuthenticateKey, type AuthorizeKey } from '../check-key.ts';
import { operatorKeyKind, type OperatorKey, type OperatorScope } from './operator-key.ts';
import type { OperatorKeys } from './operator-keys.port.ts';

/** Finds the usable operator key that was presented. Refuses with `invalid_operator_key`, as `AuthenticateKey` describes. */
export type AuthenticateOperator = AuthenticateKey<OperatorKey>;

export function authenticateOperator(operatorKeys: OperatorKeys, digest: Digest, crc32: Crc32): AuthenticateOperator {
  return authenticateKey(operatorKeyKind, operatorKeys, digest, crc32);
}

/** Checks that an operator key has a scope, and records its use. Refuses with `insufficient_scope`. */
export type AuthorizeOperator = AuthorizeKey<OperatorScope>;

export function authorizeOperator(operatorKeys: OperatorKeys): AuthorizeOperator {
  return authorizeKey(operatorKeys);
}
