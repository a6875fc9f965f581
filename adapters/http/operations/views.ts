import type { Snapshot } from '../../../core/entitlement/snapshot.ts';
import type { LicenseVerification } from '../../../core/entitlement/license/verify-license.ts';

/** The snapshot of decisions, section "Entitlements": instants are RFC 3339 in UTC with milliseconds. */
export function snapshotText(snapshot: Snapshot): string {
  return JSON.stringify(snapshot);
}

/** `{success, data, correlationId}`, of a datum that is JSON text already. */
export function dataBody(data: string, correlationId: string): string {
  return `{"success":true,"data":${data},"correlationId":"${correlationId}"}`;
}

/** `{success, correlationId}`: done, and nothing more to say. */
export function doneBody(correlationId: string): string {
  return `{"success":true,"correlationId":"${correlationId}"}`;
}

/** The error body of the marketplace, the waitlist and entitlements (specification 2.5). */
export function errorBody(sentence: string, correlationId: string): string {
  return JSON.stringify({ success: false, error: sentence, correlationId });
}

/** The error body of license verification (specification 2.4). */
export function verificationErrorBody(sentence: string): string {
  return JSON.stringify({ valid: false, error: sentence });
}

/** The answer of license verification (specification 2.4). */
export function verificationBody({ valid, entitlement }: LicenseVerification): string {
  if (entitlement === null) return '{"valid":false}';
  const { id, productId, status, tierId, tierName, billingInterval, currentPeriodEnd } = entitlement;
  const end = currentPeriodEnd === null ? {} : { currentPeriodEnd };
  return JSON.stringify({
    valid,
    entitlement: { id, productId, status, tierId, tierName, billingInterval, ...end },
  });
}
