import type { Document, ObjectId } from 'mongodb';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import { toDocument } from './entitlement-document.ts';
import { toRecordDocument } from './record-document.ts';
import type { Statement } from './statement.ts';

interface Limits {
  /** Records made at this instant or before it count as absent and are removed. */
  readonly expired: Date;
  /** How many live records an entitlement may have. */
  readonly most: number;
  readonly token: ObjectId;
}

/**
 * The change and its record in one statement. Besides the revision its filter demands that no live record of the key
 * stands in this entitlement: another process may have written one between the caller's look at the records and its
 * read of the entitlement, and a unique index does not see two equal values inside one array.
 */
export function replaceStatement(
  seen: Entitlement,
  next: Entitlement,
  record: IdempotencyRecord,
  { expired, most, token }: Limits,
): Statement {
  return {
    entitlementId: seen.id,
    from: seen.revision,
    to: next.revision,
    token,
    filter: {
      _id: seen.id,
      productId: seen.productId,
      revision: seen.revision,
      records: { $not: { $elemMatch: { key: record.key, at: { $gt: expired } } } },
      $or: [{ [`records.${most - 1}`]: { $exists: false } }, { $expr: { $lt: [{ $size: live(expired) }, most] } }],
    },
    // Everything is literal: names and keys may begin with a dollar sign.
    update: [
      {
        $replaceWith: {
          $mergeObjects: [
            { $literal: toDocument(next) },
            { records: { $concatArrays: [live(expired), [{ $literal: toRecordDocument(record, token) }]] } },
          ],
        },
      },
    ],
  };
}

function live(expired: Date): Document {
  return { $filter: { input: { $ifNull: ['$records', []] }, cond: { $gt: ['$$this.at', expired] } } };
}
