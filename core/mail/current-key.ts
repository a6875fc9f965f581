import type { DeriveLicenseKey } from '../billing/derive-license-key.ts';
import type { Call } from '../call.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { hasEnded, statusAt } from '../entitlement/status.ts';
import { licenseDigest } from '../license/license-key.ts';
import type { Digest } from '../secret.ts';
import type { UnmailedReason } from './mailing.ts';

/** Why a sale has no key that can be mailed. */
export type NoKeyReason = Extract<
  UnmailedReason,
  'entitlement_ended' | 'no_license' | 'license_revoked' | 'license_replaced'
>;

/** The license key of a sale as it is now, or the reason why no key can be mailed. */
export type CurrentKey =
  { readonly kind: 'key'; readonly licenseKey: string } | { readonly kind: 'none'; readonly reason: NoKeyReason };

/** Reads the key that was derived for an entitlement, if it works now: a dead key is not mailed. */
export type ReadCurrentKey = (entitlement: Entitlement, call: Call) => Promise<CurrentKey>;

export function readCurrentKey(deriveKey: DeriveLicenseKey, digest: Digest): ReadCurrentKey {
  return async (entitlement, call) => {
    const { id, license } = entitlement;
    if (hasEnded(statusAt(entitlement, call.now))) return none('entitlement_ended');
    if (license === null) return none('no_license');
    if (license.revokedAt !== null) return none('license_revoked');
    const licenseKey = await deriveKey(id, call);
    return license.digest === licenseDigest(licenseKey, digest)
      ? { kind: 'key', licenseKey }
      : none('license_replaced');
  };
}

function none(reason: NoKeyReason): CurrentKey {
  return { kind: 'none', reason };
}
