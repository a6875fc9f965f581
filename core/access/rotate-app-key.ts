import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { AllAppKeys } from './all-app-keys.port.ts';
import { isUsable } from './app-key.ts';
import type { IssuedAppKey, NewAppKey } from './new-app-key.ts';

export interface AppKeyRotation {
  readonly id: string;
  /** Milliseconds for which the old key goes on working, unless it ends sooner by itself. */
  readonly overlap: number;
  /** Of the new key. */
  readonly expiresAt: Date | null;
}

/**
 * Issues a key with the product and the scopes of another, and lets that one end after the overlap. The new key
 * comes first: whatever interrupts the two steps, the merchant is never left without a working key.
 * Refuses with `app_key_not_found`, and with `app_key_ended` for one that is revoked or expired.
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
