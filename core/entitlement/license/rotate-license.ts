import type { Call } from '../../call.ts';
import { nextVersion } from '../next-version.ts';
import type { AllEntitlements } from '../administration/all-entitlements.port.ts';
import { applyDecision, type CommandAnswer } from '../administration/apply-decision.ts';
import type { MakeLicense } from '../../license/new-license.ts';

export interface LicenseRotation extends CommandAnswer {
  /** The only copy of the key: the store keeps its digest. */
  readonly licenseKey: string;
}

/**
 * Replaces the license of an entitlement. The old key, if there was one, is unknown from then on. Refuses with
 * `entitlement_not_found`, and with `changed_meanwhile` if others keep changing the entitlement until the deadline.
 */
export type RotateLicense = (entitlementId: string, call: Call) => Promise<LicenseRotation>;

export function rotateLicense(entitlements: AllEntitlements, makeLicense: MakeLicense): RotateLicense {
  return async (entitlementId, call) => {
    const { key, license } = makeLicense(null, call.now);
    const answer = await applyDecision(
      entitlements,
      entitlementId,
      (entitlement) => ({ kind: 'changed', next: nextVersion(entitlement, call.now, { license }) }),
      call,
    );
    return { ...answer, licenseKey: key };
  };
}
