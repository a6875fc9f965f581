import type { Call } from '../call.ts';
import {
  stripesKind,
  unlessStripes,
  type ApplyDecision,
  type CommandAnswer,
  type Decide,
  type ReadStripes,
} from '../entitlement/administration/apply-decision.ts';
import { commandFor } from '../entitlement/administration/renewal.ts';
import { decideCommand, type EntitlementCommand } from '../entitlement/entitlement-command.ts';
import { refused } from '../entitlement/entitlement-decision.ts';
import { decideLicenseRevocation, decideRotation } from '../entitlement/license/change-license.ts';
import type { MoveLicense } from '../entitlement/license/move-license.ts';
import type { AddInterval } from '../entitlement/period-end.ts';
import type { MakeLicense } from '../license/license.ts';
import { unknownTier, withoutTiers, type AllowanceParts } from '../tier/allowance.ts';

/** A change of an entitlement or of its license. */
export type SeenCommand =
  | EntitlementCommand
  /** Null for a generated key. */
  | { readonly kind: 'rotate-license'; readonly licenseKey: string | null }
  | { readonly kind: 'revoke-license' }
  /** To another entitlement of the product. */
  | { readonly kind: 'move-license'; readonly to: string };

/** A change that somebody has decided on after looking at one version of an entitlement. */
export interface SeenChange {
  readonly id: string;
  readonly version: number;
  readonly command: SeenCommand;
}

export interface SeenAnswer extends CommandAnswer {
  /** The only copy of a new key; null for every other change. */
  readonly licenseKey: string | null;
}

/**
 * Changes an entitlement if it still has the version that was seen. Refuses with `changed_meanwhile` if it has another
 * one and the change would still change something. Otherwise answers and refuses as `RunEntitlementCommand`,
 * `RotateLicense`, `RevokeLicense` and `MoveLicense` do.
 */
export type ChangeSeen = (change: SeenChange, call: Call) => Promise<SeenAnswer>;

export function changeSeen(
  apply: ApplyDecision,
  moveLicense: MoveLicense,
  makeLicense: MakeLicense,
  addInterval: AddInterval,
  readStripes: ReadStripes,
  { tiers }: Pick<AllowanceParts, 'tiers'> = withoutTiers,
): ChangeSeen {
  const rotationOf = (given: string | null, call: Call): SeenDecision => {
    const made = makeLicense(given, call.now);
    return { decide: (entitlement, now) => decideRotation(entitlement, made, now), licenseKey: made.key };
  };
  return async ({ id, version, command }, call) => {
    if (command.kind === 'move-license') {
      const { from } = await moveLicense({ from: id, to: command.to, version }, call);
      return { ...from, licenseKey: null };
    }
    const { decide, licenseKey } =
      command.kind === 'rotate-license' ? rotationOf(command.licenseKey, call) : decisionOf(command, addInterval);
    const decideIfSeen: Decide = (entitlement, now) => {
      const decision = decide(entitlement, now);
      const isSeen = entitlement.version === version;
      return isSeen || decision.kind === 'unchanged' ? decision : refused('changed_meanwhile');
    };
    const decideOwn = await unlessStripes(decideIfSeen, id, stripesKind(command), readStripes, call);
    const answer = await apply(id, decideOwn, call);
    const unknown = command.kind === 'change-tier' ? await unknownTier(tiers, answer.snapshot, call) : {};
    return { ...answer, ...unknown, licenseKey };
  };
}

interface SeenDecision {
  readonly decide: Decide;
  readonly licenseKey: string | null;
}

function decisionOf(
  command: Exclude<SeenCommand, { readonly kind: 'rotate-license' | 'move-license' }>,
  addInterval: AddInterval,
): SeenDecision {
  if (command.kind === 'revoke-license') return { decide: decideLicenseRevocation, licenseKey: null };
  const decide: Decide = (entitlement, now) =>
    decideCommand(commandFor(command, entitlement, now, addInterval), entitlement, now);
  return { decide, licenseKey: null };
}
