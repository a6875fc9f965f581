import { maxIntervalCount, type BillingInterval, type Subscription } from '../../../core/entitlement/entitlement.ts';
import type { ItemFacts } from '../reading/subscription-state.ts';

type Interval = Pick<Subscription, 'billingInterval' | 'billingIntervalCount'>;

/** The average of the calendar, in which 400 years have 146,097 days. */
const daysOfMonth = 146_097 / 4800;

const days: Readonly<Record<BillingInterval, number>> = {
  day: 1,
  week: 7,
  month: daysOfMonth,
  year: daysOfMonth * 12,
};

/**
 * The interval of an item. Stripe allows up to three years in days or weeks, which is more of them than an entitlement can
 * have: then it is the nearest number of months. Access ends with the period, which does not follow from the interval.
 */
export function intervalOf({ price }: Pick<ItemFacts, 'price'>): Interval {
  const { interval, interval_count: count } = price.recurring ?? { interval: 'month', interval_count: 1 };
  const billingInterval = interval as BillingInterval;
  if (count <= maxIntervalCount) return { billingInterval, billingIntervalCount: count };
  return { billingInterval: 'month', billingIntervalCount: Math.round((count * days[billingInterval]) / daysOfMonth) };
}
