import type { BillingInterval } from '../../../core/entitlement/entitlement.ts';
import { nearestInterval } from '../../../core/entitlement/nearest-interval.ts';
import type { ItemFacts } from '../reading/subscription-state.ts';

/** The interval of an item. Stripe allows up to three years in days or weeks. */
export function intervalOf({ price }: Pick<ItemFacts, 'price'>): ReturnType<typeof nearestInterval> {
  const { interval, interval_count: count } = price.recurring ?? { interval: 'month', interval_count: 1 };
  return nearestInterval(interval as BillingInterval, count);
}
