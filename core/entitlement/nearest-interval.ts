import { maxIntervalCount, type BillingInterval, type Interval } from './entitlement.ts';

/** The average of the calendar, in which 400 years have 146,097 days. */
const daysOfMonth = 146_097 / 4800;

const days: Readonly<Record<BillingInterval, number>> = {
  day: 1,
  week: 7,
  month: daysOfMonth,
  year: daysOfMonth * 12,
};

/**
 * The interval of a subscription at another vendor. It is the nearest number of months if a period has more intervals than
 * an entitlement can count, such as 365 days. Access ends with the period, which does not follow from the interval.
 */
export function nearestInterval(billingInterval: BillingInterval, count: number): Interval {
  if (count <= maxIntervalCount) return { billingInterval, billingIntervalCount: count };
  const months = Math.round((count * days[billingInterval]) / daysOfMonth);
  return { billingInterval: 'month', billingIntervalCount: Math.min(months, maxIntervalCount) };
}
