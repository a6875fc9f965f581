import type { Call } from '../../call.ts';
import { untilStored, type ReplaceOutcome } from '../../compare-and-set.ts';
import type { NewId } from '../../identifier.ts';
import { Refusal } from '../../refusal.ts';
import { tierIn, withoutTiers, type AllowanceParts } from '../../tier/allowance.ts';
import { decideCancellation, type CancellationDecision, type CancellationOperation } from '../cancellation.ts';
import type { Entitlement } from '../entitlement.ts';
import { decisionCall, recordChange } from '../event/change-record.ts';
import { factsOf, replayedSnapshot, type IdempotencyRecord } from '../idempotency/idempotency-record.ts';
import type { IdempotencyRecords } from '../idempotency/idempotency.port.ts';
import { effectiveAt, modifiedAt, snapshotAt, type Snapshot } from '../snapshot.ts';
import type { Entitlements, NoRecord } from './entitlements.port.ts';

export interface CancellationRequest {
  readonly operation: CancellationOperation;
  readonly entitlementId: string;
  readonly productId: string;
  readonly idempotencyKey: string;
  /** Null or absent if the request is unconditional. */
  readonly precondition?: Precondition | null;
}

/** Decides by the state before the change, and when that state began, whether the change may happen. */
export type Precondition = (current: Snapshot, modified: Date) => boolean;

export interface CancellationAnswer {
  readonly snapshot: Snapshot;
  /** The correlation id of the first answer if this one is a replay. */
  readonly correlationId: string;
  readonly replayed: boolean;
}

/**
 * Schedules a cancellation at the end of the period, or undoes one. One idempotency key has one effect and one answer.
 * Refuses with `idempotency_key_reused`, `entitlement_not_found`, `entitlement_ended`, `not_a_subscription`,
 * `precondition_failed` or `too_many_changes`. After `store_unavailable` the outcome is unknown, and a retry with the
 * same key settles it.
 *
 * A request costs one read and one write: the write itself refuses a key that has a record. The record is looked up
 * only after a refusal, so that a replay still goes before every other answer.
 */
export type ChangeCancellation = (request: CancellationRequest, call: Call) => Promise<CancellationAnswer>;

export function changeCancellation(
  entitlements: Entitlements,
  records: IdempotencyRecords,
  newEventId: NewId,
  endingSoon = 0,
  { knownTiers }: Pick<AllowanceParts, 'knownTiers'> = withoutTiers,
): ChangeCancellation {
  const parts = { newEventId, endingSoon, knownTiers };
  return (request, call) => {
    const attemptOnce = async (): Promise<CancellationAnswer | 'stale'> => {
      const seen = await entitlements.find(request.entitlementId, request.productId, call);
      const attempt =
        seen === null ? notFound : await attemptChange(entitlements, request, seen, decisionCall(seen, call), parts);
      if (attempt.kind === 'done') return attempt.answer;
      const record = await records.find(request.productId, request.idempotencyKey, call);
      if (record !== null) return replay(record, request, seen);
      if (attempt.kind === 'refused') throw attempt.refusal;
      return 'stale';
    };
    return untilStored(call, attemptOnce, 'store_unavailable');
  };
}

type Attempt =
  | { readonly kind: 'done'; readonly answer: CancellationAnswer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'lost' };

const notFound: Attempt = { kind: 'refused', refusal: new Refusal('entitlement_not_found') };
const preconditionFailed: Attempt = { kind: 'refused', refusal: new Refusal('precondition_failed') };

interface AttemptParts extends Pick<AllowanceParts, 'knownTiers'> {
  readonly newEventId: NewId;
  readonly endingSoon: number;
}

async function attemptChange(
  entitlements: Entitlements,
  request: CancellationRequest,
  seen: Entitlement,
  call: Call,
  { newEventId, endingSoon, knownTiers }: AttemptParts,
): Promise<Attempt> {
  const { now, correlationId } = call;
  const decision: CancellationDecision = decideCancellation(request.operation, seen, now);
  if (decision.kind === 'refused') return { kind: 'refused', refusal: new Refusal(decision.code) };
  const precondition = request.precondition ?? null;
  if (precondition !== null) {
    // The precondition is about the state that a read shows.
    const current = effectiveAt(seen, now, tierIn(await knownTiers(call), seen));
    if (!precondition(current, modifiedAt(seen, now))) return preconditionFailed;
  }
  const { next, changeRecord } =
    decision.kind === 'changed'
      ? recordChange(seen, decision.next, decision, call, newEventId, endingSoon)
      : { next: decision.next, changeRecord: null };
  // The last event of a change shows its result.
  const snapshot = changeRecord?.events.at(-1)?.entitlement ?? snapshotAt(next, now);
  const record: IdempotencyRecord = {
    productId: request.productId,
    key: request.idempotencyKey,
    operation: request.operation,
    entitlementId: request.entitlementId,
    at: now,
    correlationId,
    facts: factsOf(snapshot),
  };
  const outcome = await entitlements.replace(seen, next, record, changeRecord, call);
  return after(outcome, { snapshot, correlationId, replayed: false });
}

function after(outcome: ReplaceOutcome<NoRecord>, answer: CancellationAnswer): Attempt {
  switch (outcome.kind) {
    case 'replaced':
      return { kind: 'done', answer };
    case 'stale':
    case 'key taken':
      return { kind: 'lost' };
    case 'full':
      return { kind: 'refused', refusal: new Refusal('too_many_changes', { retryAt: outcome.roomAt }) };
  }
}

function replay(
  record: IdempotencyRecord,
  request: CancellationRequest,
  entitlement: Entitlement | null,
): CancellationAnswer {
  if (
    entitlement === null ||
    record.operation !== request.operation ||
    record.entitlementId !== request.entitlementId
  ) {
    throw new Refusal('idempotency_key_reused');
  }
  return { snapshot: replayedSnapshot(record, entitlement), correlationId: record.correlationId, replayed: true };
}
