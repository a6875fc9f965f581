import type { Sold } from '../../../adapters/stripe/decision/sold-price.ts';
import type { PurchaseState } from '../../../adapters/stripe/reading/session-state.ts';
import type { ItemFacts, SubscriptionState } from '../../../adapters/stripe/reading/subscription-state.ts';
import type { PriceMapping } from '../../../core/billing/price-map.port.ts';

export const july = new Date('2026-07-01T00:00:00.000Z');
export const august = new Date('2026-08-01T00:00:00.000Z');

/** An instant as Stripe writes it. */
export function seconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

export function anItem(overrides: Partial<Omit<ItemFacts, 'price'>> & Partial<ItemFacts['price']> = {}): ItemFacts {
  const { id = 'price_1', recurring = { interval: 'month', interval_count: 1 }, ...period } = overrides;
  return {
    current_period_start: seconds(july),
    current_period_end: seconds(august),
    ...period,
    price: { id, recurring },
  };
}

/** An active monthly subscription of `price_1` for July; if it is past due, for July. */
export function aState(
  overrides: Partial<SubscriptionState['subscription']> = {},
  others: Partial<Omit<SubscriptionState, 'subscription'>> = {},
): SubscriptionState {
  const subscription: SubscriptionState['subscription'] = {
    status: 'active',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    created: seconds(july),
    ended_at: null,
    metadata: {},
    pause_collection: null,
    ...overrides,
  };
  return {
    subscription,
    items: [anItem()],
    payments: ['kept'],
    unpaidSince: seconds(july),
    next: { kind: 'none' },
    ...others,
  };
}

export function aMapping(overrides: Partial<PriceMapping> = {}): PriceMapping {
  return {
    price: 'price_1',
    productId: 'prod_1',
    tierId: 'pro',
    tierName: 'Pro',
    deviceLimit: null,
    updates: null,
    ...overrides,
  };
}

/** The sold item whose price is at this place of the map. Null for no mapping. */
export function aSold(mapping: PriceMapping | null = aMapping(), index = 0): Sold {
  return { mapping, index, same: mapping === null ? [] : [{ mapping, index }], others: [] };
}

/** A paid session of `price_1`. */
export function aPurchaseState(overrides: Partial<PurchaseState> = {}): PurchaseState {
  return {
    kind: 'purchase',
    session: {
      id: 'cs_1',
      created: seconds(july),
      client_reference_id: null,
      currency: 'usd',
      customer_details: null,
      discounts: [],
      metadata: null,
    },
    prices: ['price_1'],
    quantities: [1],
    isPaid: true,
    hasFailed: false,
    payment: { outcome: 'kept', refunded: 0, refundedAt: null, hasFailedRefund: false },
    charged: null,
    ...overrides,
  };
}

/** The marks of a pending change without an attempt. */
export const noMarks = { eventId: null, marks: { seen: null, unseen: [], waiting: [] } } as const;
