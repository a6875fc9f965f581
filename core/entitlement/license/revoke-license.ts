import type { Call } from '../../call.ts';
import type { ApplyDecision, CommandAnswer } from '../administration/apply-decision.ts';
import { changed, type EntitlementDecision } from '../entitlement-decision.ts';
import type { Entitlement } from '../entitlement.ts';
import { nextVersion } from '../next-version.ts';

/**
 * Revokes the license of an entitlement, which keeps its access otherwise. Revoking a license again changes nothing.
 * Refuses with `entitlement_not_found`, with `license_not_found` for an entitlement without a license, and with
 * `changed_meanwhile` if others keep changing the entitlement until the deadline.
 */
export type RevokeLicense = (entitlementId: string, call: Call) => Promise<CommandAnswer>;

export function revokeLicense(apply: ApplyDecision): RevokeLicense {
  return (entitlementId, call) => apply(entitlementId, decide, call);
}

function decide(entitlement: Entitlement, now: Date): EntitlementDecision {
  const { license } = entitlement;
  if (license === null) return { kind: 'refused', code: 'license_not_found' };
  if (license.revokedAt !== null) return { kind: 'unchanged' };
  return changed(nextVersion(entitlement, now, { license: { ...license, revokedAt: now } }), 'license_revoked');
}
