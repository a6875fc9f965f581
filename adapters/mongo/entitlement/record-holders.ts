import type { Db } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ReplaceOutcome } from '../../../core/entitlement/merchant/entitlements.port.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import { roomAt, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import { within } from '../driver/deadline.ts';
import { findInTime } from '../driver/find.ts';
import type { MongoStore } from '../driver/mongo-store.ts';
import type { RecordDocument } from './record-document.ts';

interface Holder {
  readonly _id: string;
  readonly revision: number;
  readonly records?: readonly Pick<RecordDocument, 'key' | 'at'>[];
}

/** What stood in the way of a statement although the revision is the one that was seen. */
export async function obstacle(
  { database }: MongoStore,
  seen: Entitlement,
  key: string,
  { expired, retention }: { readonly expired: Date; readonly retention: Retention },
  call: Call,
): Promise<ReplaceOutcome> {
  const holder = await findHolder(database, { _id: seen.id }, call);
  const live = (holder?.records ?? []).filter(({ at }) => at > expired);
  if (live.some((record) => record.key === key)) return { kind: 'key taken' };
  if (holder?.revision !== seen.revision || live.length < retention.recordsPerEntitlement) return { kind: 'stale' };
  const madeAt = live.map(({ at }) => at);
  return { kind: 'full', roomAt: roomAt(retention, madeAt) };
}

/**
 * Removes the expired record of a key that stands in the way of a new one on another entitlement. False where the
 * record is live.
 */
export async function clearExpiredHolder(
  store: MongoStore,
  { productId, key }: IdempotencyRecord,
  expired: Date,
  call: Call,
): Promise<boolean> {
  const holder = await findHolder(store.database, { productId, 'records.key': key }, call);
  const record = holder?.records?.find((candidate) => candidate.key === key);
  if (holder === undefined || record === undefined) return true;
  if (record.at > expired) return false;
  const one = { key, at: record.at };
  await within(
    call,
    store.entitlements.updateOne({ _id: holder._id, records: { $elemMatch: one } }, { $pull: { records: one } }),
  );
  return true;
}

async function findHolder(database: Db, filter: object, call: Call): Promise<Holder | undefined> {
  const parts = { filter, projection: { revision: 1, 'records.key': 1, 'records.at': 1 }, batchSize: 1 };
  const [holder] = await findInTime<Holder>(database, 'entitlements', parts, call);
  return holder;
}
