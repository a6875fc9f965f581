import type { Call } from '../../call.ts';
import type { EntitlementDecision } from '../entitlement-command.ts';
import { nextVersion } from '../next-version.ts';
import type { AllEntitlements } from '../administration/all-entitlements.port.ts';
import { applyDecision, type CommandAnswer } from '../administration/apply-decision.ts';
import type { Entitlement } from '../entitlement.ts';

/**
 * Revokes an entitlement's license, which then verifies nothing; the entitlement stays as it is. Revoking it again
 * changes nothing. Refuses with `entitlement_not_found`, `license_not_found` for an entitlement without a license and,
 * when others keep changing the entitlement, `changed_meanwhile`.
 */
export type RevokeLicense = (entitlementId: string, call: Call) => Promise<CommandAnswer>;

export function revokeLicense(entitlements: AllEntitlements): RevokeLicense {
  return (entitlementId, call) =>
    applyDecision(entitlements, entitlementId, (entitlement) => decide(entitlement, call.now), call);
}

function decide(entitlement: Entitlement, now: Date): EntitlementDecision {
  const { license } = entitlement;
  if (license === null) return { kind: 'refused', code: 'license_not_found' };
  if (license.revokedAt !== null) return { kind: 'unchanged' };
  return { kind: 'changed', next: nextVersion(entitlement, now, { license: { ...license, revokedAt: now } }) };
}
