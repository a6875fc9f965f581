import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Crc32, Digest } from '../secret.ts';
import { canBeAppKey, isUsable, type AppKey } from './app-key.ts';
import type { AppKeys } from './app-keys.port.ts';
import type { Scope } from './scope.ts';

/**
 * The usable app key behind a presented credential. Refuses with `invalid_app_key`, the same for one that is
 * malformed, unknown, revoked or expired, and with `insufficient_scope`.
 */
export type Authenticate = (presented: string, scope: Scope, call: Call) => Promise<AppKey>;

const betweenNotes = 60_000;

export function authenticate(appKeys: AppKeys, digest: Digest, crc32: Crc32): Authenticate {
  return async (presented, scope, call) => {
    const key = canBeAppKey(presented, crc32) ? await appKeys.find(digest(presented), call) : null;
    if (key === null || !isUsable(key, call.now)) throw new Refusal('invalid_app_key');
    if (!key.scopes.includes(scope)) throw new Refusal('insufficient_scope', { scope });
    const lastUse = key.lastUsedAt?.getTime() ?? -Infinity;
    if (call.now.getTime() - lastUse >= betweenNotes) appKeys.noteUse(key.id, call.now);
    return key;
  };
}
