import type { Call } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import { generateLicenseKey } from '../license/license-key.ts';
import { base62, randomText, type Hmac, type RandomBytes } from '../secret.ts';
import type { LicenseSecret, LicenseSecrets } from './license-secrets.port.ts';

/** The alphabet of base64url (RFC 4648 §5), in which an HMAC is written. */
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Symbols of a secret: 256 random bits. */
const secretLength = 43;

/**
 * Derives the license key of an entitlement: always the same one, and without the secret no more predictable than a random
 * one. Each of the HMAC's symbols but the last has six random bits, of which the key takes five.
 */
export function derivedLicenseKey({ secret }: LicenseSecret, entitlementId: string, hmac: Hmac): string {
  const symbols = hmac(secret, `license key of ${entitlementId}`);
  return generateLicenseKey((count) => Uint8Array.from(symbols.slice(0, count), (symbol) => base64url.indexOf(symbol)));
}

/** Reads the secret of a store. Makes that of a store without one: of several processes, one. */
export type MakeLicenseSecret = (call: Call) => Promise<LicenseSecret>;

export function makeLicenseSecret(secrets: LicenseSecrets, randomBytes: RandomBytes): MakeLicenseSecret {
  return (call) =>
    untilStored(call, async () => {
      const stored = await secrets.read(call);
      if (stored !== null) return stored;
      const made = { secret: randomText(base62, secretLength, randomBytes) };
      return (await secrets.add(made, call)).kind === 'replaced' ? made : 'stale';
    });
}

/** Derives the license key of an entitlement. Makes the secret of a store without one. */
export type DeriveLicenseKey = (entitlementId: string, call: Call) => Promise<string>;

export function deriveLicenseKey(
  secrets: LicenseSecrets,
  { hmac, randomBytes }: { readonly hmac: Hmac; readonly randomBytes: RandomBytes },
): DeriveLicenseKey {
  const makeSecret = makeLicenseSecret(secrets, randomBytes);
  return async (entitlementId, call) => derivedLicenseKey(await makeSecret(call), entitlementId, hmac);
}
