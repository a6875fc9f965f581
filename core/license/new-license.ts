import { Refusal } from '../refusal.ts';
import type { Digest, RandomBytes } from '../secret.ts';
import { canBeImported, generateLicenseKey, lastFourOf, licenseDigest } from './license-key.ts';
import type { License } from './license.ts';

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
