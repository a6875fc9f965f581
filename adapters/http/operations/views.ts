import type { Device } from '../../../core/device/device.ts';
import type { LicenseVerification } from '../../../core/entitlement/license/verify-license.ts';
import type { Snapshot } from '../../../core/entitlement/snapshot.ts';
import type { IssuedReceipt } from '../../../core/receipt/issue-receipt.ts';
import { noFeatures } from '../../../core/tier/features.ts';
import { instantOrNull, snapshotView } from '../../administration/commands/entitlement/snapshot-view.ts';

/** The snapshot in the answer to a cancellation or a resumption, whose replay must be the first body. */
export function cancellationJson(snapshot: Snapshot): string {
  return snapshotJson({ ...snapshot, deviceLimit: null, devicesUsed: 0, features: noFeatures });
}

export function snapshotJson(snapshot: Snapshot): string {
  return JSON.stringify(snapshotView(snapshot));
}

/** `{success, data, correlationId}`, where `data` is already JSON. */
export function dataBody(data: string, correlationId: string): string {
  return `{"success":true,"data":${data},"correlationId":"${correlationId}"}`;
}

/** `{success, correlationId}`, for an operation that has nothing to return. */
export function doneBody(correlationId: string): string {
  return `{"success":true,"correlationId":"${correlationId}"}`;
}

/** The error body of the marketplace, the waitlist and entitlements (specification 2.5). */
export function errorBody(message: string, correlationId: string): string {
  return JSON.stringify({ success: false, error: message, correlationId });
}

/** The error body of license verification (specification 2.4). */
export function verificationErrorBody(message: string): string {
  return JSON.stringify({ valid: false, error: message });
}

/** The answer of license verification (specification 2.4). */
export function verificationBody({ valid, entitlement }: LicenseVerification): string {
  if (entitlement === null) return '{"valid":false}';
  return JSON.stringify({ valid, entitlement: licensedView(entitlement) });
}

/** An entitlement as license verification shows it (specification 2.4). */
export function licensedView(snapshot: Snapshot): object {
  const { id, productId, status, tierId, tierName, billingInterval, currentPeriodEnd } = snapshot;
  const end = currentPeriodEnd === null ? {} : { currentPeriodEnd: currentPeriodEnd.toISOString() };
  return { id, productId, status, tierId, tierName, billingInterval, ...end };
}

/** A device as the lists show it. */
export function deviceView({ id, name, activatedAt, seenAt, offlineUntil }: Device): object {
  return {
    device: id,
    name,
    activatedAt: activatedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    offlineUntil: instantOrNull(offlineUntil),
  };
}

/** A receipt with its times. */
export function receiptView({ receipt, issuedAt, refreshAfter, expiresAt }: IssuedReceipt): object {
  return {
    receipt,
    issuedAt: issuedAt.toISOString(),
    refreshAfter: refreshAfter.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
