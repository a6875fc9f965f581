import type { EntitlementCommand } from '../entitlement-command.ts';
import type { Entitlement } from '../entitlement.ts';
import { periodEndAfter, type AddInterval, type PeriodEnd } from '../period-end.ts';

/** A command as an administrator gives it: a renewal without an end is for one more period. */
export type GivenCommand =
  | EntitlementCommand
  | {
      readonly kind: 'renew';
      readonly currentPeriodEnd: null;
      readonly keepStart?: boolean;
      readonly grace: number;
    };

/**
 * The command for an entitlement at one instant, with the end of the next period if a renewal names none. That end keeps
 * its anchor day if it is named, too.
 */
export function commandFor(
  command: GivenCommand,
  entitlement: Entitlement,
  now: Date,
  addInterval: AddInterval,
): EntitlementCommand {
  if (command.kind !== 'renew') return command;
  const next = nextPeriodEnd(entitlement, now, addInterval);
  const currentPeriodEnd = command.currentPeriodEnd ?? next?.currentPeriodEnd ?? now;
  const isNext = currentPeriodEnd.getTime() === next?.currentPeriodEnd.getTime();
  return { ...command, currentPeriodEnd, anchorDay: isNext ? next.anchorDay : null };
}

/** The end of one more period, counted from now if that would have passed already. Null for a one-time purchase. */
function nextPeriodEnd(entitlement: Entitlement, now: Date, addInterval: AddInterval): PeriodEnd | null {
  if (entitlement.kind === 'one_time') return null;
  const next = periodEndAfter(entitlement.currentPeriodEnd, entitlement.anchorDay, entitlement, addInterval);
  return next.currentPeriodEnd > now ? next : periodEndAfter(now, null, entitlement, addInterval);
}
