import type { Call } from '../../call.ts';
import { hasLicenseKeyLength, licenseDigest } from '../../license/license-key.ts';
import { Refusal } from '../../refusal.ts';
import type { Digest } from '../../secret.ts';
import { withoutTiers, type AllowanceParts } from '../../tier/allowance.ts';
import type { AllEntitlements } from '../administration/all-entitlements.port.ts';
import { decidedSnapshot, type FullSnapshot } from '../administration/show-entitlement.ts';

/** Finds the entitlement of a license key, revoked or not. Refuses with `invalid_license_key` and `license_not_found`. */
export type FindByLicenseKey = (key: string, call: Call) => Promise<FullSnapshot>;

export function findByLicenseKey(
  entitlements: AllEntitlements,
  digest: Digest,
  { knownTiers }: Pick<AllowanceParts, 'knownTiers'> = withoutTiers,
): FindByLicenseKey {
  return async (key, call) => {
    if (!hasLicenseKeyLength(key)) throw new Refusal('invalid_license_key');
    const entitlement = await entitlements.findByLicense(licenseDigest(key, digest), call);
    if (entitlement === null) throw new Refusal('license_not_found');
    return decidedSnapshot(entitlement, call, await knownTiers(call));
  };
}
