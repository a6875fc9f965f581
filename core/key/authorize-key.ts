import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Keys } from './keys.port.ts';
import type { StoredKey } from './stored-key.ts';

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
