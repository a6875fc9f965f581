import type { Call } from '../../call.ts';
import { nextVersion } from '../next-version.ts';
import type { AllEntitlements } from '../administration/all-entitlements.port.ts';
import { applyDecision, type CommandAnswer } from '../administration/apply-decision.ts';
import type { MakeLicense } from '../../license/new-license.ts';

export interface LicenseRotation extends CommandAnswer {
  /** Shown this once: only its digest is kept. */
  readonly licenseKey: string;
}

/**
 * Gives an entitlement a new license in the place of the old one, which verifies nothing from then on. Refuses with
 * `entitlement_not_found` and, when others keep changing the entitlement, `changed_meanwhile`.
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
