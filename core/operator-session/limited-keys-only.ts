import type { AuthenticateKey } from '../key/check-key.ts';
import type { OperatorKey } from '../key/operator/operator-key.ts';
import { Refusal } from '../refusal.ts';
import type { FindOperatorSession } from './operator-sessions.ts';

/** Accepts keys that are limited to products, and no others: those are as unknown. Refuses with `invalid_operator_key`. */
export function limitedKeysOnly(authenticate: AuthenticateKey<OperatorKey>): AuthenticateKey<OperatorKey> {
  return async (presented, call) => {
    const key = await authenticate(presented, call);
    if (key.products === null) throw new Refusal('invalid_operator_key');
    return key;
  };
}

/** Finds the sessions of such keys, and no others. */
export function limitedSessionsOnly(find: FindOperatorSession): FindOperatorSession {
  return async (token, call) => {
    const open = await find(token, call);
    return open?.operatorKey.products === null ? null : open;
  };
}
