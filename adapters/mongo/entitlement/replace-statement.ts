import type { Document, ObjectId } from 'mongodb';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../../core/entitlement/event/change-record.ts';
import { maxHistory, type HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import { outboxWith } from '../event/event-document.ts';
import type { Statement } from './apply-statements.ts';
import { toEntitlementDocument, toHistoryDocument } from './entitlement-document.ts';
import { toRecordDocument } from './record-document.ts';

interface RecordLimits {
  /** Records of this instant and before count as absent and are removed. */
  readonly expired: Date;
  /** The maximum number of live records of an entitlement. */
  readonly maxRecords: number;
  readonly token: ObjectId;
}

/**
 * A change with its idempotency record and its change record as one statement. Besides the revision, its filter requires
 * that the entitlement has no live record of the key. Another process may have written one after the caller had looked
 * for it and before the caller read the entitlement, and a unique index does not see two equal values inside one array.
 */
export function replaceStatement(
  seen: Entitlement,
  next: Entitlement,
  record: IdempotencyRecord,
  changeRecord: ChangeRecord | null,
  { expired, maxRecords, token }: RecordLimits,
): Statement {
  const live = liveRecords(expired);
  return {
    entitlementId: seen.id,
    seenRevision: seen.revision,
    nextRevision: next.revision,
    token,
    filter: {
      _id: seen.id,
      productId: seen.productId,
      revision: seen.revision,
      records: { $not: { $elemMatch: { key: record.key, at: { $gt: expired } } } },
      $or: [{ [`records.${maxRecords - 1}`]: { $exists: false } }, { $expr: { $lt: [{ $size: live }, maxRecords] } }],
    },
    // Values are literals, because names and keys may begin with a dollar sign.
    update: [
      {
        $replaceWith: {
          $mergeObjects: [
            { $literal: toEntitlementDocument(next) },
            {
              records: { $concatArrays: [live, [{ $literal: toRecordDocument(record, token) }]] },
              history: changeRecord === null ? '$history' : historyWith(changeRecord.entry),
              moves: '$moves',
              outbox: outboxWith(changeRecord?.events ?? [], record.at),
            },
          ],
        },
      },
    ],
  };
}

/** The expression for the history with one entry more. */
export function historyWith(entry: HistoryEntry): Document {
  const all = { $concatArrays: [{ $ifNull: ['$history', []] }, [{ $literal: toHistoryDocument(entry) }]] };
  return { $slice: [all, -maxHistory] };
}

function liveRecords(expired: Date): Document {
  return { $filter: { input: { $ifNull: ['$records', []] }, cond: { $gt: ['$$this.at', expired] } } };
}
