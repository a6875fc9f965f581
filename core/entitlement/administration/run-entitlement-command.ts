import type { Call } from '../../call.ts';
import { decideCommand, type EntitlementCommand } from '../entitlement-command.ts';
import type { ApplyDecision, CommandAnswer } from './apply-decision.ts';

/**
 * Carries out an administrator's command on an entitlement of any product. Refuses with `entitlement_not_found`, with
 * `changed_meanwhile` if others keep changing the entitlement until the deadline, and as `decideCommand` decides.
 */
export type RunEntitlementCommand = (id: string, command: EntitlementCommand, call: Call) => Promise<CommandAnswer>;

export function runEntitlementCommand(apply: ApplyDecision): RunEntitlementCommand {
  return (id, command, call) => apply(id, (entitlement, now) => decideCommand(command, entitlement, now), call);
}
