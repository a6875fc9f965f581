import { reasonOf, type AlignmentTarget } from './alignment.ts';
import type { Grant } from './grant.ts';

/** The facts of a new entitlement that a target does not have. */
export interface GrantedBeside {
  readonly productId: string;
  readonly reference: string | null;
  /** Milliseconds for which the buyer keeps access after the period. */
  readonly grace: number;
}

/**
 * The grant of a subscription that is unknown here, with everything that its target says: an alignment to the same target
 * changes nothing. Null for one that has ended, and for one without a tier.
 */
export function grantOfTarget(target: AlignmentTarget, beside: GrantedBeside, now: Date): Grant | null {
  const {
    tier,
    deviceLimit,
    interval,
    standing,
    currentPeriodStart,
    currentPeriodEnd,
    isSuspended,
    unpaidUntil,
    cancellation,
  } = target;
  if (tier === null || target.endedAt !== null) return null;
  const scheduled =
    cancellation.kind === 'at' ? { at: cancellation.at, requestedAt: cancellation.requestedAt ?? now } : null;
  return {
    kind: 'subscription',
    ...beside,
    ...tier,
    deviceLimit,
    ...interval,
    standing,
    currentPeriodStart,
    currentPeriodEnd,
    isSuspended,
    reason: reasonOf(target, now),
    unpaidUntil,
    cancellation: scheduled,
  };
}
