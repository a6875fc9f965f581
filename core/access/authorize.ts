import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { AppKey } from './app-key.ts';
import type { AppKeys } from './app-keys.port.ts';
import type { Scope } from './scope.ts';

/** Checks that an app key has a scope, and records its use at most once a minute. Refuses with `insufficient_scope`. */
export type Authorize = (key: AppKey, scope: Scope, call: Call) => void;

/** Milliseconds between two recorded uses of a key. */
const recordInterval = 60_000;

export function authorize(appKeys: AppKeys): Authorize {
  return (key, scope, { now }) => {
    if (!key.scopes.includes(scope)) throw new Refusal('insufficient_scope', { scope });
    const lastUse = key.lastUsedAt?.getTime() ?? -Infinity;
    if (now.getTime() - lastUse >= recordInterval) appKeys.recordUse(key.id, now);
  };
}
