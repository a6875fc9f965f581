import { day as dayLength } from '../parsing/duration.ts';
import type { Interval, Subscription } from './entitlement.ts';

/**
 * Adds an interval to an instant, `count` times at once, by the UTC calendar. A month ends on the `day` of the month, or
 * on its last day if it is shorter. Days and weeks have no such day.
 */
export type AddInterval = (start: Date, interval: Interval['billingInterval'], count: number, day?: number) => Date;

/** An end of a period that the calendar has made. */
export type PeriodEnd = Pick<Subscription, 'currentPeriodEnd' | 'anchorDay'>;

/**
 * Counts a period from an instant, which stands for its anchor day if it has one: 28 February after 31 January is
 * followed by 31 March.
 */
export function periodEndAfter(
  start: Date,
  anchorDay: number | null,
  { billingInterval, billingIntervalCount }: Interval,
  addInterval: AddInterval,
): PeriodEnd {
  const day = anchorDay ?? start.getUTCDate();
  const currentPeriodEnd = addInterval(start, billingInterval, billingIntervalCount, day);
  const isShortened = hasAnchor(billingInterval) && currentPeriodEnd.getUTCDate() < day;
  return { currentPeriodEnd, anchorDay: isShortened ? day : null };
}

/**
 * The anchor day of a period with a given end: the day on which it begins, if it ends at the same time of the last day of
 * a month that lacks that day. Any other end is on its own day.
 */
export function anchorDayOf(
  start: Date,
  end: Date,
  { billingInterval }: Pick<Interval, 'billingInterval'>,
): number | null {
  const day = start.getUTCDate();
  const isSameTime = (end.getTime() - start.getTime()) % dayLength === 0;
  const isLastDay = new Date(end.getTime() + dayLength).getUTCDate() === 1;
  return hasAnchor(billingInterval) && isSameTime && isLastDay && end.getUTCDate() < day ? day : null;
}

function hasAnchor(interval: Interval['billingInterval']): boolean {
  return interval === 'month' || interval === 'year';
}
