import type { Call } from '../../call.ts';
import type { NewLicense } from '../../license/license.ts';
import { Refusal } from '../../refusal.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';

/**
 * Reports whether another entitlement has the key of a new license from a release before, which stored it in another way.
 * The store itself refuses any other key that is taken.
 */
export async function isEarlierKeyTaken(
  entitlements: Pick<AllEntitlements, 'findByLicense'>,
  { earlierDigest }: NewLicense,
  entitlementId: string,
  call: Call,
): Promise<boolean> {
  const holder = earlierDigest === null ? null : await entitlements.findByLicense(earlierDigest, call);
  return holder !== null && holder.id !== entitlementId;
}

/** Refuses a new license with `license_key_exists` where `isEarlierKeyTaken`. */
export async function refuseEarlierKey(
  ...[entitlements, made, id, call]: Parameters<typeof isEarlierKeyTaken>
): Promise<void> {
  if (await isEarlierKeyTaken(entitlements, made, id, call)) throw new Refusal('license_key_exists');
}
