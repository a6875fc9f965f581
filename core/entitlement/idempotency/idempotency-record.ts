import type { CancellationOperation } from '../cancellation.ts';
import type { Entitlement } from '../entitlement.ts';
import { snapshotAt, snapshotFrom, type Snapshot } from '../snapshot.ts';
import type { EntitlementStatus } from '../status.ts';

/**
 * Records that an idempotency key has had its one effect, with the facts of the answer. It stays small because it
 * leaves out what never changes about the entitlement, such as its tier and its product.
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

/** The members of an answer that later changes of the entitlement overwrite. */
export interface AnswerFacts {
  readonly status: EntitlementStatus;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date | null;
  readonly cancelAt: Date | null;
  readonly canceledAt: Date | null;
  readonly updatedAt: Date;
  readonly version: number;
}

/** Picks the facts that a record keeps of a snapshot. */
export function factsOf(snapshot: Snapshot): AnswerFacts {
  const { status, currentPeriodStart, currentPeriodEnd, cancelAt, canceledAt, updatedAt, version } = snapshot;
  return { status, currentPeriodStart, currentPeriodEnd, cancelAt, canceledAt, updatedAt, version };
}

/**
 * Rebuilds the snapshot of the first answer, whatever has become of the entitlement since. Only successes are recorded,
 * so the entitlement had not ended.
 */
export function replayedSnapshot(record: IdempotencyRecord, entitlement: Entitlement): Snapshot {
  return snapshotFrom({ ...snapshotAt(entitlement, record.at), ...record.facts, endedAt: null });
}
