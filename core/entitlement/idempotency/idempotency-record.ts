import type { CancellationOperation } from '../cancellation.ts';
import type { Entitlement } from '../entitlement.ts';
import { snapshotAt, type Snapshot } from '../snapshot.ts';
import { givesAccess, type EntitlementStatus } from '../status.ts';

/**
 * That one idempotency key had its one effect, and the facts of the answer. What the entitlement keeps for ever
 * (its tier, its product, its interval) is not repeated here: a record stays small.
 */
export interface IdempotencyRecord {
  readonly productId: string;
  readonly key: string;
  readonly operation: CancellationOperation;
  readonly entitlementId: string;
  /** The `now` of the request that was carried out. */
  readonly at: Date;
  /** Of the first answer; a replay's body repeats it. */
  readonly correlationId: string;
  readonly facts: AnswerFacts;
}

/** The members of the answer that later changes of the entitlement overwrite. */
export interface AnswerFacts {
  readonly status: EntitlementStatus;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date | null;
  readonly cancelAt: Date | null;
  readonly canceledAt: Date | null;
  readonly updatedAt: Date;
  readonly version: number;
}

/** The facts of a snapshot that a record keeps. */
export function factsOf(snapshot: Snapshot): AnswerFacts {
  const { status, currentPeriodStart, currentPeriodEnd, cancelAt, canceledAt, updatedAt, version } = snapshot;
  return { status, currentPeriodStart, currentPeriodEnd, cancelAt, canceledAt, updatedAt, version };
}

/** The first answer's snapshot, whatever has become of the entitlement since. Only successes are recorded, so it had not ended. */
export function replayedSnapshot(record: IdempotencyRecord, entitlement: Entitlement): Snapshot {
  const { facts } = record;
  return {
    ...snapshotAt(entitlement, record.at),
    ...facts,
    active: givesAccess(facts.status),
    cancelAtPeriodEnd: facts.cancelAt !== null,
    endedAt: null,
    allowedActions: facts.cancelAt === null ? ['cancel'] : ['resume'],
  };
}
