import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { AllAppKeys } from './all-app-keys.port.ts';
import type { AppKey } from './app-key.ts';

/**
 * Revokes an app key. Once this resolves, every process refuses the key for requests that arrive later. Revoking a key
 * again changes nothing. Refuses with `app_key_not_found`.
 */
export type RevokeAppKey = (id: string, call: Call) => Promise<AppKey>;

export function revokeAppKey(appKeys: AllAppKeys): RevokeAppKey {
  return async (id, call) => {
    await appKeys.end(id, { revokedAt: call.now }, call);
    const key = await appKeys.find(id, call);
    if (key === null) throw new Refusal('app_key_not_found');
    return key;
  };
}
