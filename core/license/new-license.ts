import { Refusal } from '../refusal.ts';
import { generateLicenseKey, hasLicenseKeyLength, lastFourOf, licenseDigest } from './license-key.ts';
import type { License } from './license.ts';
import type { Digest, RandomBytes } from '../secret.ts';

/** A license, with the only copy of its key. */
export interface NewLicense {
  readonly key: string;
  readonly license: License;
}

/**
 * Makes the license of a given key, or of a generated one. Refuses a given key of a wrong length with
 * `license_key_length`.
 */
export type MakeLicense = (given: string | null, now: Date) => NewLicense;

export function makeLicense(randomBytes: RandomBytes, digest: Digest): MakeLicense {
  return (given, now) => {
    if (given !== null && !hasLicenseKeyLength(given)) throw new Refusal('license_key_length');
    const key = given ?? generateLicenseKey(randomBytes);
    return {
      key,
      license: { digest: licenseDigest(key, digest), lastFour: lastFourOf(key), createdAt: now, revokedAt: null },
    };
  };
}
