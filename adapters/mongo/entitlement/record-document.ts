import type { ObjectId } from 'mongodb';
import type { BillingTerm } from '../../../core/entitlement/entitlement.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';

/** An idempotency record among the `records` of its entitlement. Short names keep it at about 300 bytes. */
export interface RecordDocument {
  readonly key: string;
  readonly op: IdempotencyRecord['operation'];
  readonly at: Date;
  /** New for every attempt, so that a writer can see which attempt was applied. */
  readonly token: ObjectId;
  /** The correlation id. */
  readonly cid: string;
  readonly status: IdempotencyRecord['facts']['status'];
  readonly start: Date;
  readonly end: Date | null;
  readonly cancel: Date | null;
  readonly asked: Date | null;
  readonly updated: Date;
  readonly v: number;
  /** The id of the tier. */
  readonly tier: string;
  readonly name: string;
  readonly every: BillingTerm;
  readonly count: number;
  /** Until when there were updates. Absent for null. */
  readonly updates?: Date;
}

export function toRecordDocument({ facts, ...record }: IdempotencyRecord, token: ObjectId): RecordDocument {
  return {
    key: record.key,
    op: record.operation,
    at: record.at,
    token,
    cid: record.correlationId,
    status: facts.status,
    start: facts.currentPeriodStart,
    end: facts.currentPeriodEnd,
    cancel: facts.cancelAt,
    asked: facts.canceledAt,
    updated: facts.updatedAt,
    v: facts.version,
    tier: facts.tierId,
    name: facts.tierName,
    every: facts.billingInterval,
    count: facts.billingIntervalCount,
    ...(facts.updatesUntil && { updates: facts.updatesUntil }),
  };
}

export function fromRecordDocument(
  record: RecordDocument,
  holder: { readonly productId: string; readonly entitlementId: string },
): IdempotencyRecord {
  return {
    productId: holder.productId,
    key: record.key,
    operation: record.op,
    entitlementId: holder.entitlementId,
    at: record.at,
    correlationId: record.cid,
    facts: {
      status: record.status,
      currentPeriodStart: record.start,
      currentPeriodEnd: record.end,
      cancelAt: record.cancel,
      canceledAt: record.asked,
      updatedAt: record.updated,
      updatesUntil: record.updates ?? null,
      version: record.v,
      tierId: record.tier,
      tierName: record.name,
      billingInterval: record.every,
      billingIntervalCount: record.count,
    },
  };
}
