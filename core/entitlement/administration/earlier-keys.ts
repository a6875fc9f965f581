import type { Call } from '../../call.ts';
import type { NewLicense } from '../../license/license.ts';
import { Refusal } from '../../refusal.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';

/**
 * Refuses a new license with `license_key_exists` if another entitlement has its key from a release before, which stored
 * it in another way. The store itself refuses any other key that is taken.
 */
export async function refuseEarlierKey(
  entitlements: Pick<AllEntitlements, 'findByLicense' | 'findExisting'>,
  { earlierDigest }: NewLicense,
  entitlementId: string,
  call: Call,
): Promise<void> {
  if (earlierDigest === null) return;
  const keys = { ids: [], digests: [earlierDigest], references: [] };
  if ((await entitlements.findExisting(keys, call)).digests.size === 0) return;
  // Null for an entitlement that the caller cannot see, which is another one.
  const holder = await entitlements.findByLicense(earlierDigest, call);
  if (holder?.id !== entitlementId) throw new Refusal('license_key_exists');
}
