import type { EntitlementCommand } from './entitlement-command.ts';
import type { Entitlement } from './entitlement.ts';
import type { AddInterval } from './grant.ts';

/** A command as an administrator gives it: a renewal without an end is for one more period. */
export type GivenCommand =
  EntitlementCommand | { readonly kind: 'renew'; readonly currentPeriodEnd: null; readonly grace: number };

/** The command for an entitlement at one instant, with the end of the next period if a renewal names none. */
export function commandFor(
  command: GivenCommand,
  entitlement: Entitlement,
  now: Date,
  addInterval: AddInterval,
): EntitlementCommand {
  if (command.kind !== 'renew' || command.currentPeriodEnd !== null) return command;
  return { ...command, currentPeriodEnd: nextPeriodEnd(entitlement, now, addInterval) ?? now };
}

/** The end of one more period, counted from now if that would have passed already. Null for a one-time purchase. */
export function nextPeriodEnd(entitlement: Entitlement, now: Date, addInterval: AddInterval): Date | null {
  if (entitlement.kind === 'one_time') return null;
  const { currentPeriodEnd, billingInterval, billingIntervalCount } = entitlement;
  const next = addInterval(currentPeriodEnd, billingInterval, billingIntervalCount);
  return next > now ? next : addInterval(now, billingInterval, billingIntervalCount);
}
