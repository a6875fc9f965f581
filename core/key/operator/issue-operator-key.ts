import type { Call } from '../../call.ts';
import { addKey, type IssuedKey } from '../issue-key.ts';
import type { NewKey } from '../new-key.ts';
import { rotateKey, type RotateKey } from '../rotate-key.ts';
import type { AllOperatorKeys } from './all-operator-keys.port.ts';
import { operatorKeyKind, type OperatorKey, type OperatorKeyTerms } from './operator-key.ts';

export interface OperatorKeyRequest extends OperatorKeyTerms {
  /** Null for a generated id. */
  readonly id: string | null;
}

/**
 * Issues an operator key. With the id of a key of the same name, nothing is issued and that key is returned, so that a
 * request is safe to repeat. Refuses with `operator_key_exists` for the id of a key of another name, and with
 * `expiry_too_early` unless the key expires later than now.
 */
export type IssueOperatorKey = (request: OperatorKeyRequest, call: Call) => Promise<IssuedKey<OperatorKey>>;

export function issueOperatorKey(operatorKeys: AllOperatorKeys, makeKey: NewKey): IssueOperatorKey {
  return async ({ id, name, scopes, expiresAt }, call) => {
    const { key, facts } = makeKey(id, call.now);
    const made = { key, stored: { ...facts, name, scopes, expiresAt } };
    return addKey(operatorKeyKind, operatorKeys, made, (known) => known.name === name, call);
  };
}

/** Rotates an operator key, as `RotateKey` describes; the new key has the name and the scopes of the old one. */
export function rotateOperatorKey(operatorKeys: AllOperatorKeys, makeKey: NewKey): RotateKey<OperatorKey> {
  return rotateKey(operatorKeyKind, operatorKeys, makeKey, haveSameTerms);
}

function haveSameTerms(a: OperatorKey, b: OperatorKey): boolean {
  return a.name === b.name && a.scopes.join(' ') === b.scopes.join(' ');
}
