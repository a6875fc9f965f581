import type { Call } from '../../call.ts';
import { unknownTier, withoutTiers, type AllowanceParts } from '../../tier/allowance.ts';
import { decideAlignment, type AlignmentTarget } from '../alignment.ts';
import { decideCommand, type EntitlementCommand } from '../entitlement-command.ts';
import type { Entitlement } from '../entitlement.ts';
import type { ApplyToSeen, SeenOutcome } from './apply-decision.ts';

/*
 * For a caller that reads an entitlement, then something else, and then decides by both: a write must not hide what was
 * asked here in between. So neither use case reads. A stale write is the caller's to repeat, with both reads.
 */

/**
 * Brings a subscription, as the caller has read it, to what its billing system says: in one write, with one event.
 * Refuses with `not_a_subscription`, and with `entitlement_revoked` unless the target has ended.
 */
export type AlignEntitlement = (seen: Entitlement, target: AlignmentTarget, call: Call) => Promise<SeenOutcome>;

export function alignEntitlement(
  apply: ApplyToSeen,
  { tiers }: Pick<AllowanceParts, 'tiers'> = withoutTiers,
): AlignEntitlement {
  return async (seen, target, call) => {
    const { tier, endedAt } = target;
    const isNewTier = tier !== null && tier.tierId !== seen.tierId && endedAt === null;
    const warning = isNewTier ? await unknownTier(tiers, { ...tier, productId: seen.productId }, call) : {};
    const outcome = await apply(seen, (entitlement, now) => decideAlignment(target, entitlement, now), call);
    return outcome.kind === 'changed' ? { ...outcome, ...warning } : outcome;
  };
}

/** Carries out a command on an entitlement as the caller has read it. Refuses as `decideCommand` decides. */
export type RunSeenCommand = (seen: Entitlement, command: EntitlementCommand, call: Call) => Promise<SeenOutcome>;

export function runSeenCommand(apply: ApplyToSeen): RunSeenCommand {
  return (seen, command, call) => apply(seen, (entitlement, now) => decideCommand(command, entitlement, now), call);
}
