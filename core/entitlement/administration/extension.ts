import { day } from '../../parsing/duration.ts';
import type { BillingTerm, Entitlement } from '../entitlement.ts';
import { periodEndAfter, type AddInterval } from '../period-end.ts';
import type { Snapshot } from '../snapshot.ts';

/** By how much an entitlement is extended: seven days, one month, or one of its periods. */
export const extensionSpans = ['7d', '1m', 'period'] as const;

export type ExtensionSpan = (typeof extensionSpans)[number];

/** The ends that an entitlement can be extended to. */
export interface Extensions {
  /** The instant from which they are counted: the present end, or now if that has passed. */
  readonly from: Date;
  /** A period that is a month, and a purchase, have no `period`. */
  readonly ends: ReadonlyMap<ExtensionSpan, Date>;
}

/** Counts each extension as intervals are counted. Null for a purchase that never ends. */
export function extensionsOf(
  entitlement: Entitlement,
  from: Date | null,
  now: Date,
  addInterval: AddInterval,
): Extensions | null {
  const end = entitlement.kind === 'one_time' ? entitlement.accessEndsAt : entitlement.currentPeriodEnd;
  if (end === null) return null;
  const start = from ?? (end > now ? end : now);
  const isEnd = start.getTime() === end.getTime();
  const anchorDay = isEnd && entitlement.kind === 'subscription' ? entitlement.anchorDay : null;
  const month = { billingInterval: 'month', billingIntervalCount: 1 } as const;
  const ends = new Map<ExtensionSpan, Date>([
    ['7d', new Date(start.getTime() + 7 * day)],
    ['1m', periodEndAfter(start, anchorDay, month, addInterval).currentPeriodEnd],
  ]);
  if (entitlement.kind === 'subscription' && !isMonth(entitlement)) {
    ends.set('period', periodEndAfter(start, anchorDay, entitlement, addInterval).currentPeriodEnd);
  }
  return { from: start, ends };
}

function isMonth({
  billingInterval,
  billingIntervalCount,
}: Pick<Snapshot, 'billingInterval' | 'billingIntervalCount'>) {
  return billingInterval === 'month' && billingIntervalCount === 1;
}

/** The longest time that each interval takes by the calendar. A purchase has no period. */
const longestIntervals: Readonly<Record<BillingTerm, number>> = {
  day,
  week: 7 * day,
  month: 31 * day,
  year: 366 * day,
  one_time: 0,
};

/**
 * Whether an end is more than three periods, and more than three months, after the present one, or after now if that has
 * passed: then it may be a typing mistake.
 */
export function isFarAhead(
  end: Date,
  {
    billingInterval,
    billingIntervalCount,
    currentPeriodEnd,
    accessEndsAt,
  }: Pick<Snapshot, 'billingInterval' | 'billingIntervalCount' | 'currentPeriodEnd' | 'accessEndsAt'>,
  now: Date,
): boolean {
  const from = Math.max(now.getTime(), (currentPeriodEnd ?? accessEndsAt)?.getTime() ?? 0);
  const period = Math.max(billingIntervalCount * longestIntervals[billingInterval], longestIntervals.month);
  return end.getTime() - from > 3 * period;
}
