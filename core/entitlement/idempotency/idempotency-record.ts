import type { CancellationOperation } from '../cancellation.ts';
import type { Entitlement } from '../entitlement.ts';
import { snapshotAt, snapshotFrom, type Snapshot, type SnapshotFacts } from '../snapshot.ts';

/**
 * Records that an idempotency key has had its one effect, with the facts of the answer. It stays small because it
 * leaves out what never changes about the entitlement, such as its product.
 */
export interface IdempotencyRecord {
  readonly productId: string;
  readonly key: string;
  readonly operation: CancellationOperation;
  readonly entitlementId: string;
  /** The `now` of the first request. */
  readonly at: Date;
  /** The correlation id of the first answer, which a replay repeats in its body. */
  readonly correlationId: string;
  readonly facts: AnswerFacts;
}

/**
 * The members that no change of a subscription overwrites, and no purchase has a record. The end is one: only an answer
 * before it is recorded.
 */
type ConstantMember = 'id' | 'productId' | 'kind' | 'createdAt' | 'endedAt' | 'accessEndsAt';

/** The members that an answer to a cancellation or a resumption leaves out, because a replay must be the first body. */
type LeftOutMember = 'deviceLimit' | 'devicesUsed' | 'features' | 'tierRevision';

/**
 * The members of an answer that later changes of the entitlement overwrite. A member that the snapshot gets is one of them,
 * unless it is named above.
 */
export type AnswerFacts = Omit<SnapshotFacts, ConstantMember | LeftOutMember>;

/** Picks the facts that a record keeps of a snapshot. */
export function factsOf(snapshot: Snapshot): AnswerFacts {
  const { status, tierId, tierName, billingInterval, billingIntervalCount } = snapshot;
  const { currentPeriodStart, currentPeriodEnd, cancelAt, canceledAt, updatesUntil, updatedAt, version } = snapshot;
  const terms = { tierId, tierName, billingInterval, billingIntervalCount, updatesUntil };
  return { status, ...terms, currentPeriodStart, currentPeriodEnd, cancelAt, canceledAt, updatedAt, version };
}

/**
 * Rebuilds the snapshot of the first answer, whatever has become of the entitlement since. Only successes are recorded,
 * so the entitlement had not ended.
 */
export function replayedSnapshot(record: IdempotencyRecord, entitlement: Entitlement): Snapshot {
  return snapshotFrom({ ...snapshotAt(entitlement, record.at), ...record.facts, endedAt: null });
}
