import type { Call } from '../../call.ts';
import { untilStored } from '../../compare-and-set.ts';
import type { NewId } from '../../identifier.ts';
import { Refusal } from '../../refusal.ts';
import {
  tierIn,
  unknownTier,
  withoutTiers,
  type AllowanceParts,
  type OwnLimit,
  type TierOf,
  type UnknownTier,
} from '../../tier/allowance.ts';
import { decideCommand } from '../entitlement-command.ts';
import { refused, type EntitlementDecision } from '../entitlement-decision.ts';
import type { Entitlement } from '../entitlement.ts';
import { decisionCall, recordChange } from '../event/change-record.ts';
import { withAllowance } from '../event/shown-allowance.ts';
import type { AddInterval } from '../period-end.ts';
import { effectiveAt, type Snapshot } from '../snapshot.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';
import { commandFor, type GivenCommand } from './renewal.ts';

/** An entitlement after a command. */
export interface CommandAnswer extends UnknownTier {
  readonly snapshot: Snapshot;
  /** The version that the command found: equal to the snapshot's if nothing changed. */
  readonly versionBefore: number;
}

/** Decides the effect of a command on an entitlement at one instant. */
export type Decide = (entitlement: Entitlement, now: Date) => EntitlementDecision;

/** The outcome of a decision on a state that the caller has read. */
export type SeenOutcome =
  | ({ readonly kind: 'changed' | 'unchanged' } & CommandAnswer)
  /** Somebody else has changed the entitlement since it was read. Nothing was written: read and decide again. */
  | { readonly kind: 'stale' };

/**
 * Decides on an entitlement as the caller has read it, and stores the decision with its record if the entitlement still
 * has that revision. Does not read. Refuses as `decide` decides, and with `license_key_exists` if another entitlement
 * has the license.
 */
export type ApplyToSeen = (seen: Entitlement, decide: Decide, call: Call) => Promise<SeenOutcome>;

export function applyToSeen(
  entitlements: Pick<AllEntitlements, 'replace'>,
  newEventId: NewId,
  endingSoon = 0,
  { tiers, knownTiers }: AllowanceParts = withoutTiers,
): ApplyToSeen {
  return async (seen, decide, call) => {
    const decisive = decisionCall(seen, call);
    const { now } = decisive;
    const decision = decide(seen, now);
    if (decision.kind === 'refused') throw new Refusal(decision.code);
    const versionBefore = seen.version;
    const known = await knownTiers(call);
    if (decision.kind === 'unchanged')
      return { kind: 'unchanged', snapshot: effectiveAt(seen, now, tierIn(known, seen)), versionBefore };
    const recorded = recordChange(seen, decision.next, decision, decisive, newEventId, endingSoon);
    const { next } = recorded;
    const changeRecord = await withAllowance(tiers, seen, next, recorded.changeRecord, call);
    const outcome = await entitlements.replace(seen, next, changeRecord, decisive);
    switch (outcome.kind) {
      case 'replaced':
        return { kind: 'changed', snapshot: effectiveAt(next, now, tierIn(known, next)), versionBefore };
      case 'license taken':
        throw new Refusal('license_key_exists');
      case 'stale':
        return outcome;
    }
  };
}

/**
 * Reads an entitlement, decides, and stores the decision with its record. Starts again as long as others change the
 * entitlement in between. Refuses with `entitlement_not_found`, as `ApplyToSeen` does, and with `changed_meanwhile` at
 * the deadline.
 */
export type ApplyDecision = (id: string, decide: Decide, call: Call) => Promise<CommandAnswer>;

export function applyDecision(
  entitlements: AllEntitlements,
  newEventId: NewId,
  endingSoon = 0,
  parts: AllowanceParts = withoutTiers,
): ApplyDecision {
  const apply = applyToSeen(entitlements, newEventId, endingSoon, parts);
  return (id, decide, call) =>
    untilStored(call, async () => {
      const seen = await entitlements.find(id, call);
      if (seen === null) throw new Refusal('entitlement_not_found');
      const outcome = await apply(seen, decide, call);
      if (outcome.kind === 'stale') return 'stale';
      const { snapshot, versionBefore } = outcome;
      return { snapshot, versionBefore };
    });
}

/**
 * Carries out an administrator's command on an entitlement of any product. Refuses with `entitlement_not_found`, with
 * `changed_meanwhile` if others keep changing the entitlement until the deadline, with `managed_by_stripe` what Stripe
 * decides, and as `decideCommand` decides.
 */
export type RunEntitlementCommand = (id: string, command: GivenCommand, call: Call) => Promise<CommandAnswer>;

export function runEntitlementCommand(
  apply: ApplyDecision,
  addInterval: AddInterval,
  readStripes: ReadStripes,
  { tiers }: Pick<AllowanceParts, 'tiers'> = withoutTiers,
): RunEntitlementCommand {
  return async (id, command, call) => {
    const decide: Decide = (entitlement, now) =>
      decideCommand(commandFor(command, entitlement, now, addInterval), entitlement, now);
    const answer = await apply(id, await unlessStripes(decide, id, stripesKind(command), readStripes, call), call);
    return command.kind === 'change-tier'
      ? { ...answer, ...(await unknownTier(tiers, answer.snapshot, call)) }
      : answer;
  };
}

/** The kind of a change for Stripe, which decides the limit of devices where a price says it, and no feature. */
export function stripesKind(command: { readonly kind: string; readonly deviceLimit?: OwnLimit }): string {
  return command.kind === 'allow' && command.deviceLimit === undefined ? 'allow features' : command.kind;
}

/** Reports of an entitlement whether a change of it is Stripe's. */
export type IsStripes = (entitlement: TierOf) => boolean;

/** Reads what decides whether a kind of change of an entitlement is Stripe's. */
export type ReadStripes = (entitlementId: string, kind: string, call: Call) => Promise<IsStripes>;

/** Refuses what Stripe decides on an entitlement that it sells. */
export async function unlessStripes(
  decide: Decide,
  id: string,
  kind: string,
  readStripes: ReadStripes,
  call: Call,
): Promise<Decide> {
  const isStripes = await readStripes(id, kind, call);
  return (entitlement, now) => (isStripes(entitlement) ? refused('managed_by_stripe') : decide(entitlement, now));
}
