import { day } from '../../parsing/duration.ts';
import type { EntitlementCommand } from '../entitlement-command.ts';
import type { BillingTerm, Entitlement } from '../entitlement.ts';
import { periodEndAfter, type AddInterval, type PeriodEnd } from '../period-end.ts';
import type { Snapshot } from '../snapshot.ts';

/** A command as an administrator gives it: a renewal without an end is for one more period. */
export type GivenCommand =
  EntitlementCommand | { readonly kind: 'renew'; readonly currentPeriodEnd: null; readonly grace: number };

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
export function nextPeriodEnd(entitlement: Entitlement, now: Date, addInterval: AddInterval): PeriodEnd | null {
  if (entitlement.kind === 'one_time') return null;
  const next = periodEndAfter(entitlement.currentPeriodEnd, entitlement.anchorDay, entitlement, addInterval);
  return next.currentPeriodEnd > now ? next : periodEndAfter(now, null, entitlement, addInterval);
}

/** The longest time that each interval takes by the calendar. */
const longestIntervals: Readonly<Record<BillingTerm, number>> = {
  day,
  week: 7 * day,
  month: 31 * day,
  year: 366 * day,
  one_time: Infinity,
};

/** Whether an end is more than three periods after the present one, or after now if that has passed. */
export function isFarAhead(
  end: Date,
  { billingInterval, billingIntervalCount, currentPeriodEnd }: Snapshot,
  now: Date,
): boolean {
  const from = Math.max(now.getTime(), currentPeriodEnd?.getTime() ?? 0);
  return end.getTime() - from > 3 * billingIntervalCount * longestIntervals[billingInterval];
}
