import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Crc32, Digest } from '../secret.ts';
import { canBeAppKey, isUsable, type AppKey } from './app-key.ts';
import type { AppKeys } from './app-keys.port.ts';

/**
 * Finds the usable app key that was presented. Refuses with `invalid_app_key`, and gives no hint whether the key is
 * malformed, unknown, revoked or expired.
 */
export type Authenticate = (presented: string, call: Call) => Promise<AppKey>;

export function authenticate(appKeys: AppKeys, digest: Digest, crc32: Crc32): Authenticate {
  return async (presented, call) => {
    const key = canBeAppKey(presented, crc32) ? await appKeys.find(digest(presented), call) : null;
    if (key === null || !isUsable(key, call.now)) throw new Refusal('invalid_app_key');
    return key;
  };
}
