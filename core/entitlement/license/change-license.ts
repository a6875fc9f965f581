import type { Call } from '../../call.ts';
import type { MakeLicense, NewLicense } from '../../license/license.ts';
import type { ApplyDecision, CommandAnswer, Decide } from '../administration/apply-decision.ts';
import { changed, refused, unchanged, type EntitlementDecision } from '../entitlement-decision.ts';
import { nextVersion, type Entitlement } from '../entitlement.ts';

export interface LicenseRotation extends CommandAnswer {
  /** The given key, or the only copy of a generated one: the store keeps its digest. */
  readonly licenseKey: string;
}

/**
 * Replaces the license of an entitlement by a given key, or by a generated one for null. The old key, if there was one,
 * is unknown from then on. With the key that the entitlement has already, nothing changes, so that a given key makes a
 * rotation safe to repeat. Refuses with `entitlement_not_found`; with `invalid_license_key`, or `license_key_exists` for
 * the key of another entitlement and for the revoked one of this; and with `changed_meanwhile` if others keep changing
 * the entitlement until the deadline.
 */
export type RotateLicense = (entitlementId: string, licenseKey: string | null, call: Call) => Promise<LicenseRotation>;

export function rotateLicense(apply: ApplyDecision, makeLicense: MakeLicense): RotateLicense {
  return async (entitlementId, licenseKey, call) => {
    const made = makeLicense(licenseKey, call.now);
    const decide: Decide = (entitlement, now) => decideRotation(entitlement, made, now);
    return { ...(await apply(entitlementId, decide, call)), licenseKey: made.key };
  };
}

/** Decides the effect of a new license on an entitlement. With the key that it has, nothing changes. */
export function decideRotation(entitlement: Entitlement, made: NewLicense, now: Date): EntitlementDecision {
  const present = entitlement.license;
  if (present === null || present.digest !== made.license.digest) {
    return changed(nextVersion(entitlement, now, { license: made.license }), 'license_rotated');
  }
  return present.revokedAt === null ? unchanged : refused('license_key_exists');
}

/**
 * Revokes the license of an entitlement, which keeps its access otherwise. Revoking a license again changes nothing.
 * Refuses with `entitlement_not_found`, with `license_not_found` for an entitlement without a license, and with
 * `changed_meanwhile` if others keep changing the entitlement until the deadline.
 */
export type RevokeLicense = (entitlementId: string, call: Call) => Promise<CommandAnswer>;

export function revokeLicense(apply: ApplyDecision): RevokeLicense {
  return (entitlementId, call) => apply(entitlementId, decideLicenseRevocation, call);
}

/** Decides the effect of a revocation on the license of an entitlement. */
export function decideLicenseRevocation(entitlement: Entitlement, now: Date): EntitlementDecision {
  const { license } = entitlement;
  if (license === null) return { kind: 'refused', code: 'license_not_found' };
  if (license.revokedAt !== null) return { kind: 'unchanged' };
  return changed(nextVersion(entitlement, now, { license: { ...license, revokedAt: now } }), 'license_revoked');
}
