import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Crc32, Digest } from '../secret.ts';
import { canBeKey, type KeyKind } from './key-kind.ts';
import type { Keys } from './keys.port.ts';
import { isUsable, type StoredKey } from './stored-key.ts';

/**
 * Finds the usable key that was presented. Refuses with the kind's code for invalid keys, and gives no hint whether the
 * key is malformed, unknown, revoked or expired.
 */
export type AuthenticateKey<Key> = (presented: string, call: Call) => Promise<Key>;

export function authenticateKey<Key extends StoredKey>(
  kind: KeyKind,
  keys: Keys<Key>,
  digest: Digest,
  crc32: Crc32,
): AuthenticateKey<Key> {
  return async (presented, call) => {
    const key = canBeKey(kind, presented, crc32) ? await keys.find(digest(presented), call) : null;
    if (key === null || !isUsable(key, call.now)) throw new Refusal(kind.refusals.invalid);
    return key;
  };
}
