import type { ObjectId } from 'mongodb';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';

/** One of the `records` of an entitlement. The names are short because a record is kept to 250 bytes. */
export interface RecordDocument {
  readonly key: string;
  readonly op: IdempotencyRecord['operation'];
  readonly at: Date;
  /** Different in every attempt: tells a writer whether it was the one that succeeded. */
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
  };
}

/** The record of a document that stands in an entitlement of a product. */
export function fromRecordDocument(
  record: RecordDocument,
  of: { readonly productId: string; readonly entitlementId: string },
): IdempotencyRecord {
  return {
    productId: of.productId,
    key: record.key,
    operation: record.op,
    entitlementId: of.entitlementId,
    at: record.at,
    correlationId: record.cid,
    facts: {
      status: record.status,
      currentPeriodStart: record.start,
      currentPeriodEnd: record.end,
      cancelAt: record.cancel,
      canceledAt: record.asked,
      updatedAt: record.updated,
      version: record.v,
    },
  };
}
