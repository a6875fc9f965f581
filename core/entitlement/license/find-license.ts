import { earlierLicenseDigest, licenseDigest } from '../../license/license-key.ts';
import type { Digest } from '../../secret.ts';
import type { Entitlement } from '../entitlement.ts';

/**
 * Finds the entitlement of a license key, in whichever spelling, with one look-up by `find`. A spelling that a release
 * before has stored in another way needs a second one at the same time; a license of that time counts first, because it
 * has exactly this key.
 */
export async function findLicense(
  find: (digest: string) => Promise<Entitlement | null>,
  key: string,
  digest: Digest,
): Promise<Entitlement | null> {
  const earlier = earlierLicenseDigest(key, digest);
  if (earlier === null) return find(licenseDigest(key, digest));
  const [exact, folded] = await Promise.all([find(earlier), find(licenseDigest(key, digest))]);
  return exact ?? folded;
}
