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

/** Checks that a key has a scope, and records its use at most once a minute. Refuses with `insufficient_scope`. */
export type AuthorizeKey<Scope extends string> = (key: StoredKey<Scope>, scope: Scope, call: Call) => void;

/** Milliseconds between two recorded uses of a key. */
const recordInterval = 60_000;

export function authorizeKey<Scope extends string>(keys: Keys<StoredKey<Scope>>): AuthorizeKey<Scope> {
  return (key, scope, { now }) => {
    if (!key.scopes.includes(scope)) throw new Refusal('insufficient_scope', { scope });
    const lastUse = key.lastUsedAt?.getTime() ?? -Infinity;
    if (now.getTime() - lastUse >= recordInterval) keys.recordUse(key.id, now);
  };
}
