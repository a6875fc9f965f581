import type { Call } from '../../call.ts';
import { hasLicenseKeyLength, licenseDigest } from '../../license/license-key.ts';
import { Refusal } from '../../refusal.ts';
import type { Digest } from '../../secret.ts';
import { snapshotAt, type Snapshot } from '../snapshot.ts';
import type { Licenses } from './licenses.port.ts';

export interface LicenseVerification {
  /** Whether the license gives access at this instant. */
  readonly valid: boolean;
  /**
   * The entitlement of the license. Null for unknown keys, revoked ones and other products' alike, so that none can be
   * told apart.
   */
  readonly entitlement: Snapshot | null;
}

/** Verifies a buyer's key, for one product if it is given. Changes nothing. Refuses with `malformed_license_key`. */
export type VerifyLicense = (key: string, productId: string | null, call: Call) => Promise<LicenseVerification>;

const unknown: LicenseVerification = { valid: false, entitlement: null };

export function verifyLicense(licenses: Licenses, digest: Digest): VerifyLicense {
  return async (key, productId, call) => {
    if (!hasLicenseKeyLength(key)) throw new Refusal('malformed_license_key');
    const entitlement = await licenses.find(licenseDigest(key, digest), call);
    if (entitlement === null || entitlement.license === null || entitlement.license.revokedAt !== null) return unknown;
    if (productId !== null && productId !== entitlement.productId) return unknown;
    const snapshot = snapshotAt(entitlement, call.now);
    return { valid: snapshot.active, entitlement: snapshot };
  };
}
