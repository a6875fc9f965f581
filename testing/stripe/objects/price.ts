import type { Account, Plan, Price, WebhookEndpoint } from './stored.ts';

export type Interval = 'day' | 'week' | 'month' | 'year';

export interface PriceFacts {
  readonly id: string;
  readonly product: string;
  readonly currency: string;
  readonly amount: number;
  readonly interval: Interval | null;
  readonly intervalCount: number;
  readonly created: number;
}

export function newPrice({ id, product, currency, amount, interval, intervalCount, created }: PriceFacts): Price {
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created,
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring:
      interval === null
        ? null
        : { interval, interval_count: intervalCount, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: interval === null ? 'one_time' : 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
}

/** The older form of a recurring price, which subscription items still have. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: null,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

export function newAccount(id: string, created: number): Account {
  return {
    id,
    object: 'account',
    business_type: 'company',
    charges_enabled: true,
    country: 'US',
    created,
    default_currency: 'usd',
    details_submitted: true,
    email: 'shop@example.com',
    metadata: {},
    payouts_enabled: true,
    type: 'standard',
  };
}

export function newWebhookEndpoint(
  facts: Pick<WebhookEndpoint, 'id' | 'url' | 'enabled_events' | 'api_version' | 'created'>,
): WebhookEndpoint {
  return {
    ...facts,
    object: 'webhook_endpoint',
    application: null,
    description: null,
    livemode: false,
    metadata: {},
    status: 'enabled',
  };
}
