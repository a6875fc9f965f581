import { createHmac } from 'node:crypto';
import type { VendorDelivery } from '../webhook-handler.ts';
import { apiKey, secret, type Step, type Story, type TestedVendor } from './vendor.ts';

const price = 'pri_01gsz8x8sawmvhz1pv30nge1ke';
export const subscriptionId = 'sub_01hv8x29kz0t586xy6zn1a62ny';
export const saleId = 'txn_01hv8wptq8987qeep44cyrewp9';
const customerId = 'ctm_01hv6y1jedq4p1n0yqn5ba3ky4';

const item = {
  status: 'active',
  quantity: 1,
  recurring: true,
  price: { id: price, product_id: 'pro_1', name: 'Monthly' },
};
const period = { starts_at: '2026-07-18T11:00:00.000Z', ends_at: '2026-08-18T11:00:00.000Z' };

/** A subscription (https://developer.paddle.com/api-reference/subscriptions). */
export function subscription(changes: Readonly<Record<string, unknown>> = {}): { readonly data: unknown } {
  return {
    data: {
      id: subscriptionId,
      status: 'active',
      customer_id: customerId,
      address_id: 'add_01hv8gq3318ktkfengj2r75gfx',
      business_id: null,
      currency_code: 'USD',
      created_at: '2026-07-18T11:00:00.000Z',
      updated_at: '2026-07-18T11:00:00.000Z',
      started_at: '2026-07-18T11:00:00.000Z',
      first_billed_at: '2026-07-18T11:00:00.000Z',
      next_billed_at: period.ends_at,
      paused_at: null,
      canceled_at: null,
      collection_mode: 'automatic',
      billing_details: null,
      current_billing_period: period,
      billing_cycle: { frequency: 1, interval: 'month' },
      scheduled_change: null,
      items: [item],
      custom_data: null,
      ...changes,
    },
  };
}

/** A transaction with its customer and adjustments (https://developer.paddle.com/api-reference/transactions). */
export function sale(...adjustments: readonly unknown[]): { readonly data: Readonly<Record<string, unknown>> } {
  return {
    data: {
      id: saleId,
      status: 'completed',
      customer_id: customerId,
      subscription_id: null,
      invoice_number: '325-10566',
      collection_mode: 'automatic',
      currency_code: 'USD',
      items: [{ price: item.price, quantity: 1 }],
      details: { totals: { subtotal: '2900', tax: '0', total: '2900', grand_total: '2900' } },
      customer: { id: customerId, email: 'ada@example.com', status: 'active' },
      adjustments,
    },
  };
}

/** An adjustment (https://developer.paddle.com/api-reference/adjustments). */
export function adjustment(
  action: string,
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    id: 'adj_01hvgf2s84dr6reszzg29zbvcm',
    action,
    type: 'full',
    transaction_id: saleId,
    subscription_id: null,
    customer_id: customerId,
    reason: 'requested_by_customer',
    currency_code: 'USD',
    status: 'approved',
    ...changes,
  };
}

export function signed(type: string, data: unknown, key = secret, age = 0): VendorDelivery {
  const event = {
    event_id: 'evt_01hv8x2acma2gz7he8kg2s0hna',
    event_type: type,
    occurred_at: '2026-07-18T11:00:01.000Z',
  };
  const body = JSON.stringify({ ...event, notification_id: 'ntf_01hv8x2af3b6f1e0jcgyq7qtv0', data });
  const at = Math.floor(Date.now() / 1000) - age;
  const signature = createHmac('sha256', key).update(`${at}:${body}`).digest('hex');
  return { vendor: 'paddle', url: '/paddle', headers: { 'paddle-signature': `ts=${at};h1=${signature}` }, body };
}

export const subscriptions = `/subscriptions/${subscriptionId}`;
export const sales = `/transactions/${saleId}?include=customer,adjustments`;
export const customer = { [`/customers/${customerId}`]: { data: { id: customerId, email: 'ada@example.com' } } };

const end = '2026-08-18T11:00:00Z';
const active = ['pro', 'active', 'none', end];
const suspended = ['pro', 'active', 'suspended', end];
const bought = ['pro', 'one_time', 'none', null];

function step(name: string, changes: Readonly<Record<string, unknown>>, state: readonly unknown[]): Step {
  const delivery = (): VendorDelivery => signed(`subscription.${name}`, subscription().data);
  return { api: { ...customer, [subscriptions]: subscription(changes) }, delivery, state };
}

const created = step('created', {}, active);
const later = { starts_at: period.ends_at, ends_at: '2026-09-18T11:00:00.000Z' };

const completed: Step = {
  api: { [sales]: sale() },
  delivery: () => signed('transaction.completed', sale().data),
  state: bought,
};

/** An adjustment of a sale that has these adjustments then. */
function adjusted(state: readonly unknown[], own: unknown, all: readonly unknown[], subscribed = false): Step {
  const known = sale(...all);
  const data = subscribed ? { ...known.data, subscription_id: subscriptionId } : known.data;
  return { api: { [sales]: { data } }, delivery: () => signed('adjustment.created', own), state };
}

const chargeback = adjustment('chargeback');
const reversal = adjustment('chargeback_reverse');
const reversed = [adjustment('chargeback', { status: 'reversed' }), reversal];
const refund = adjustment('refund');
const pending = adjustment('refund', { status: 'pending_approval' });
const partial = adjustment('refund', { type: 'partial' });
const unknown = adjustment('clawback');

const stories: readonly Story[] = [
  {
    title: 'a subscription that is renewed, past due, paused, resumed and canceled',
    steps: [
      created,
      step('updated', { current_billing_period: later }, ['pro', 'active', 'none', '2026-09-18T11:00:00Z']),
      step('past_due', { status: 'past_due' }, ['pro', 'past_due', 'none', '2026-09-18T11:00:00Z']),
      step('paused', { status: 'paused', current_billing_period: null }, [
        'pro',
        'past_due',
        'suspended',
        '2026-09-18T11:00:00Z',
      ]),
      step('resumed', { current_billing_period: { ...later, ends_at: '2026-10-18T11:00:00.000Z' } }, [
        'pro',
        'active',
        'none',
        '2026-10-18T11:00:00Z',
      ]),
      step('canceled', { status: 'canceled', current_billing_period: null }, [
        'pro',
        'active',
        'revoked',
        '2026-10-18T11:00:00Z',
      ]),
    ],
  },
  {
    title: 'a cancellation that is scheduled, and removed',
    steps: [
      created,
      step('updated', { scheduled_change: { action: 'cancel', effective_at: period.ends_at, resume_at: null } }, [
        ...active,
        'canceled',
      ]),
      step('updated', {}, active),
    ],
  },
  {
    title: 'a suspension, which a renewal does not lift',
    steps: [
      created,
      step('paused', { status: 'paused' }, suspended),
      step('updated', { current_billing_period: later }, ['pro', 'active', 'suspended', '2026-09-18T11:00:00Z']),
    ],
  },
  { title: 'a status that Paddle adds', steps: [created, step('updated', { status: 'hibernating' }, suspended)] },
  {
    title: 'a trial',
    steps: [
      step('created', { status: 'trialing' }, ['pro', 'trialing', 'none', end]),
      step('activated', { current_billing_period: later }, ['pro', 'active', 'none', '2026-09-18T11:00:00Z']),
    ],
  },
  {
    title: 'a purchase whose chargeback is reversed, and that is refunded in part, and in full once Paddle approves it',
    steps: [
      completed,
      adjusted(['pro', 'one_time', 'suspended', null], chargeback, [chargeback]),
      adjusted(bought, reversal, reversed),
      adjusted(bought, partial, [...reversed, partial]),
      adjusted(bought, pending, [...reversed, partial, pending]),
      adjusted(['pro', 'one_time', 'revoked', null], refund, [...reversed, partial, refund]),
    ],
  },
  {
    title: 'a purchase with an adjustment that Paddle adds',
    steps: [completed, adjusted(['pro', 'one_time', 'suspended', null], unknown, [unknown])],
  },
  {
    title: 'the payment of a subscription, which grants nothing and is refunded',
    steps: [
      created,
      {
        api: { [sales]: { data: { ...sale().data, subscription_id: subscriptionId } } },
        delivery: () => signed('transaction.completed', sale().data),
        state: active,
      },
      adjusted(suspended, refund, [refund], true),
    ],
  },
  {
    title: 'a sale that was refunded before its delivery came',
    steps: [{ ...completed, api: { [sales]: sale(refund) }, state: [] }],
  },
  {
    title: 'a delivery that overtook the grant',
    steps: [{ ...step('updated', {}, []), answer: 500 }, created],
  },
];

export const paddle: TestedVendor = {
  name: 'Paddle',
  module: 'paddle',
  environment: (api) => ({ PADDLE_SECRET: secret, PADDLE_KEY: apiKey, PADDLE_API: api }),
  stories,
  forged: ({ delivery }) => [
    signed('subscription.created', subscription().data, 'another secret'),
    signed('subscription.created', subscription().data, secret, 120),
    signed('subscription.created', subscription().data, secret, -120),
    { ...delivery(), headers: {} },
    { ...delivery(), headers: { 'paddle-signature': 'ts=;h1=' } },
    { ...delivery(), body: `${delivery().body} ` },
  ],
};
