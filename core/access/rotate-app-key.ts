import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { AllAppKeys } from './all-app-keys.port.ts';
import { isUsable } from './app-key.ts';
import type { IssuedAppKey, NewAppKey } from './new-app-key.ts';

export interface AppKeyRotation {
  readonly id: string;
  /** Milliseconds for which the old key still works, unless it expires sooner. */
  readonly overlap: number;
  /** When the new key expires. */
  readonly expiresAt: Date | null;
}

/**
 * Issues a key with the product and the scopes of an old one, which ends after the overlap. The new key is stored
 * first, so that an interruption between the two steps leaves the merchant a working key. Refuses with
 * `app_key_not_found`, and with `app_key_ended` if the old key is revoked or expired.
 */
export type RotateAppKey = (rotation: AppKeyRotation, call: Call) => Promise<IssuedAppKey>;

export function rotateAppKey(appKeys: AllAppKeys, newAppKey: NewAppKey): RotateAppKey {
  return async ({ id, overlap, expiresAt }, call) => {
    const old = await appKeys.find(id, call);
    if (old === null) throw new Refusal('app_key_not_found');
    if (!isUsable(old, call.now)) throw new Refusal('app_key_ended');
    const { issued, stored } = newAppKey({ productId: old.productId, scopes: old.scopes, expiresAt }, call.now);
    await appKeys.add(stored, call);
    await appKeys.end(id, { expiresAt: new Date(call.now.getTime() + overlap) }, call);
    return issued;
  };
}
