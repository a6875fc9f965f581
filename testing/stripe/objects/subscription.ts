import { planOf } from './price.ts';
import { listOf, type Item, type Price, type Subscription, type TaxRate } from './stored.ts';

/** Stripe embeds this many items in a subscription; the others are read from the list of items. */
const embeddedItems = 10;

export interface ItemFacts {
  readonly id: string;
  readonly subscription: string;
  readonly price: Price;
  readonly quantity: number;
  readonly start: number;
  readonly end: number;
  readonly created: number;
}

export function newItem({ id, subscription, price, quantity, start, end, created }: ItemFacts): Item {
  return {
    id,
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_end: end,
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

export interface SubscriptionFacts {
  readonly id: string;
  readonly customer: string;
  readonly currency: string;
  readonly items: readonly Item[];
  readonly latestInvoice: string;
  readonly trialEnd: number | null;
  readonly managedPayments: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly taxRates: readonly TaxRate[];
  /** The ids of its discounts. */
  readonly discounts: readonly string[];
  readonly created: number;
}

export function newSubscription(facts: SubscriptionFacts): Subscription {
  const { id, customer, currency, items, latestInvoice, trialEnd, managedPayments, created } = facts;
  const { metadata, taxRates, discounts } = facts;
  const url = `/v1/subscription_items?subscription=${id}`;
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created,
    currency,
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [...taxRates],
    description: null,
    discounts: [...discounts],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf(url, items.slice(0, embeddedItems), items.length > embeddedItems),
    latest_invoice: latestInvoice,
    livemode: false,
    managed_payments: managedPayments ? { enabled: true } : null,
    metadata: { ...metadata },
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'pause' } },
    trial_start: trialEnd === null ? null : created,
  };
}
