import { Refusal } from '../refusal.ts';
import type { Digest, RandomBytes } from '../secret.ts';
import { canBeImported, generateLicenseKey, lastFourOf, licenseDigest } from './license-key.ts';

/** The license that an entitlement holds. Its key is shown once; only the digest is stored. */
export interface License {
  /** SHA-256 of the key's identity, base64url; unique over all products. */
  readonly digest: string;
  /** The end of the key, for display; null if it would reveal too much of a short key. */
  readonly lastFour: string | null;
  readonly createdAt: Date;
  /** A revoked license keeps its digest, so that its key is never issued again, and verifies nothing. */
  readonly revokedAt: Date | null;
}

/** The facts of a license that may be shown. */
export type LicenseFacts = Omit<License, 'digest'>;

export function withoutDigest({ lastFour, createdAt, revokedAt }: License): LicenseFacts {
  return { lastFour, createdAt, revokedAt };
}

/** A license, with the only copy of its key. */
export interface NewLicense {
  readonly key: string;
  readonly license: License;
}

/**
 * Makes the license of a given key, or of a generated one. Refuses a given key that cannot be imported with
 * `invalid_license_key`.
 */
export type MakeLicense = (given: string | null, now: Date) => NewLicense;

export function makeLicense(randomBytes: RandomBytes, digest: Digest): MakeLicense {
  return (given, now) => {
    if (given !== null && !canBeImported(given)) throw new Refusal('invalid_license_key');
    const key = given ?? generateLicenseKey(randomBytes);
    return {
      key,
      license: { digest: licenseDigest(key, digest), lastFour: lastFourOf(key), createdAt: now, revokedAt: null },
    };
  };
}
