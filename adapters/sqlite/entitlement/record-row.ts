import type { BillingTerm } from '../../../core/entitlement/entitlement.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import { dateOrNull, table } from '../engine/table.ts';

/** A row of `idempotency_records`. Instants are milliseconds since 1970. */
export interface RecordRow {
  readonly product_id: string;
  readonly key: string;
  readonly operation: IdempotencyRecord['operation'];
  readonly entitlement_id: string;
  readonly at: number;
  readonly correlation_id: string;
  readonly status: IdempotencyRecord['facts']['status'];
  readonly period_start: number;
  readonly period_end: number | null;
  readonly cancel_at: number | null;
  readonly canceled_at: number | null;
  readonly updated_at: number;
  readonly version: number;
  readonly tier_id: string;
  readonly tier_name: string;
  readonly billing_interval: BillingTerm;
  readonly billing_interval_count: number;
  readonly updates_until: number | null;
}

export const recordsTable = table<RecordRow>('idempotency_records', {
  product_id: true,
  key: true,
  operation: true,
  entitlement_id: true,
  at: true,
  correlation_id: true,
  status: true,
  period_start: true,
  period_end: true,
  cancel_at: true,
  canceled_at: true,
  updated_at: true,
  version: true,
  tier_id: true,
  tier_name: true,
  billing_interval: true,
  billing_interval_count: true,
  updates_until: true,
});

export function toRecordRow({ facts, ...record }: IdempotencyRecord): RecordRow {
  return {
    product_id: record.productId,
    key: record.key,
    operation: record.operation,
    entitlement_id: record.entitlementId,
    at: record.at.getTime(),
    correlation_id: record.correlationId,
    status: facts.status,
    period_start: facts.currentPeriodStart.getTime(),
    period_end: facts.currentPeriodEnd?.getTime() ?? null,
    cancel_at: facts.cancelAt?.getTime() ?? null,
    canceled_at: facts.canceledAt?.getTime() ?? null,
    updated_at: facts.updatedAt.getTime(),
    version: facts.version,
    tier_id: facts.tierId,
    tier_name: facts.tierName,
    billing_interval: facts.billingInterval,
    billing_interval_count: facts.billingIntervalCount,
    updates_until: facts.updatesUntil?.getTime() ?? null,
  };
}

export function fromRecordRow(row: RecordRow): IdempotencyRecord {
  return {
    productId: row.product_id,
    key: row.key,
    operation: row.operation,
    entitlementId: row.entitlement_id,
    at: new Date(row.at),
    correlationId: row.correlation_id,
    facts: {
      status: row.status,
      currentPeriodStart: new Date(row.period_start),
      currentPeriodEnd: dateOrNull(row.period_end),
      cancelAt: dateOrNull(row.cancel_at),
      canceledAt: dateOrNull(row.canceled_at),
      updatedAt: new Date(row.updated_at),
      updatesUntil: dateOrNull(row.updates_until),
      version: row.version,
      tierId: row.tier_id,
      tierName: row.tier_name,
      billingInterval: row.billing_interval,
      billingIntervalCount: row.billing_interval_count,
    },
  };
}
