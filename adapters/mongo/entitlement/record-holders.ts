// The idempotency records that prevent an entitlement from taking another one.
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import { roomAt, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { NoRecord } from '../../../core/entitlement/merchant/entitlements.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import type { StoredEntitlement } from './entitlement-document.ts';
import type { RecordDocument } from './record-document.ts';

interface Holder {
  readonly _id: string;
  readonly revision: number;
  readonly records?: readonly Pick<RecordDocument, 'key' | 'at'>[];
}

/** The reason why a statement matched nothing although the entitlement still had the revision that was seen. */
export async function reasonNotReplaced(
  database: MongoDatabase,
  seen: Entitlement,
  key: string,
  { expired, retention }: { readonly expired: Date; readonly retention: Retention },
  call: Call,
): Promise<ReplaceOutcome<NoRecord>> {
  const holder = await findHolder(database, { _id: seen.id }, call);
  const live = (holder?.records ?? []).filter(({ at }) => at > expired);
  if (live.some((record) => record.key === key)) return { kind: 'key taken' };
  if (holder?.revision !== seen.revision || live.length < retention.recordsPerEntitlement) return { kind: 'stale' };
  const madeAt = live.map(({ at }) => at);
  return { kind: 'full', roomAt: roomAt(retention, madeAt) };
}

/**
 * Removes the expired record that another entitlement of the product has of a key. False if that record is live, so
 * that the key is taken.
 */
export async function removeExpiredRecord(
  database: MongoDatabase,
  { productId, key }: IdempotencyRecord,
  expired: Date,
  call: Call,
): Promise<boolean> {
  const holder = await findHolder(database, { productId, 'records.key': key }, call);
  const record = holder?.records?.find((candidate) => candidate.key === key);
  if (holder === undefined || record === undefined) return true;
  if (record.at > expired) return false;
  const removed = { key, at: record.at };
  const entitlements = database.collection<StoredEntitlement>('entitlements');
  const filter = { _id: holder._id, records: { $elemMatch: removed } };
  await database.write(call, (session) => entitlements.updateOne(filter, { $pull: { records: removed } }, { session }));
  return true;
}

async function findHolder(database: MongoDatabase, filter: object, call: Call): Promise<Holder | undefined> {
  const query = { filter, projection: { revision: 1, 'records.key': 1, 'records.at': 1 }, limit: 1 };
  const [holder] = await database.find<Holder>('entitlements', query, call);
  return holder;
}
