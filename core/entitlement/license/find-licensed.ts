import type { Call } from '../../call.ts';
import { hasLicenseKeyLength, licenseDigest } from '../../license/license-key.ts';
import type { License } from '../../license/license.ts';
import { Refusal } from '../../refusal.ts';
import type { Digest } from '../../secret.ts';
import type { Entitlement } from '../entitlement.ts';
import type { Licenses } from './licenses.port.ts';

/** Somebody who has a license key. */
export interface LicenseHolder {
  readonly licenseKey: string;
  /** The product that the license must belong to; null for any. */
  readonly productId: string | null;
}

/** An entitlement with a license that was not revoked. */
export type Licensed = Entitlement & { readonly license: License };

/**
 * Finds the entitlement of a license key, in one look-up. Refuses with `malformed_license_key`, and with
 * `license_not_found` for an unknown, a revoked and another product's key alike.
 */
export async function findLicensed(
  licenses: Licenses,
  digest: Digest,
  { licenseKey, productId }: LicenseHolder,
  call: Call,
): Promise<Licensed> {
  if (!hasLicenseKeyLength(licenseKey)) throw new Refusal('malformed_license_key');
  const entitlement = await licenses.find(licenseDigest(licenseKey, digest), call);
  if (entitlement === null || !isLicensed(entitlement)) throw new Refusal('license_not_found');
  if (productId !== null && productId !== entitlement.productId) throw new Refusal('license_not_found');
  return entitlement;
}

/** Whether an entitlement has a license that was not revoked. */
export function isLicensed(entitlement: Entitlement): entitlement is Licensed {
  return entitlement.license?.revokedAt === null;
}
