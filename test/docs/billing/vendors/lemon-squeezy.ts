import { createHmac } from 'node:crypto';
import type { VendorDelivery } from '../webhook-handler.ts';
import { apiKey, secret, type Step, type Story, type TestedVendor } from './vendor.ts';

/** A subscription as its API shows it (https://docs.lemonsqueezy.com/api/subscriptions/the-subscription-object). */
export function subscription(changes: Readonly<Record<string, unknown>> = {}): { readonly data: unknown } {
  return {
    data: {
      type: 'subscriptions',
      id: '1',
      attributes: {
        store_id: 1,
        customer_id: 1,
        order_id: 1,
        order_item_id: 1,
        product_id: 1,
        variant_id: 17,
        product_name: 'Sketchpad',
        variant_name: 'Default',
        user_name: 'Ada',
        user_email: 'ada@example.com',
        status: 'active',
        status_formatted: 'Active',
        card_brand: 'visa',
        card_last_four: '4242',
        pause: null,
        cancelled: false,
        trial_ends_at: null,
        billing_anchor: 18,
        renews_at: '2026-08-18T11:00:00.000000Z',
        ends_at: null,
        created_at: '2026-07-18T11:00:00.000000Z',
        updated_at: '2026-07-18T11:00:00.000000Z',
        test_mode: false,
        ...changes,
      },
    },
  };
}

/** An order (https://docs.lemonsqueezy.com/api/orders/the-order-object). */
export function order(
  status: string,
  variant = 18,
  changes: Readonly<Record<string, unknown>> = {},
): { readonly data: unknown } {
  return {
    data: {
      type: 'orders',
      id: '5',
      attributes: {
        store_id: 1,
        customer_id: 1,
        identifier: '104e18a2-d755-4d4b-80c4-a6c1dcbe1c10',
        order_number: 5,
        user_name: 'Ada',
        user_email: 'ada@example.com',
        currency: 'USD',
        total: 999,
        status,
        refunded: status === 'refunded',
        refunded_at: null,
        first_order_item: {
          id: 5,
          order_id: 5,
          product_id: 1,
          variant_id: variant,
          product_name: 'Sketchpad',
          price: 999,
        },
        created_at: '2026-07-18T11:00:00.000000Z',
        test_mode: false,
        ...changes,
      },
    },
  };
}

/** An invoice of the subscription (https://docs.lemonsqueezy.com/api/subscription-invoices). */
export function invoice(
  status: string,
  id = '9',
  changes: Readonly<Record<string, unknown>> = {},
): { readonly data: unknown } {
  const facts = { store_id: 1, subscription_id: 1, customer_id: 1, billing_reason: 'renewal', currency: 'USD' };
  const attributes = { ...facts, status, total: 999, tax: 0, refunded_amount: 0, ...changes };
  return { data: { type: 'subscription-invoices', id, attributes } };
}

/** A delivery, with what the checkout was given. */
export function signed(
  name: string,
  object: { readonly data: unknown },
  key = secret,
  custom?: Readonly<Record<string, unknown>>,
): VendorDelivery {
  const body = JSON.stringify({ meta: { event_name: name, custom_data: custom }, data: object.data });
  const signature = createHmac('sha256', key).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-event-name': name, 'x-signature': signature };
  return { vendor: 'lemonsqueezy', url: '/lemonsqueezy', headers, body };
}

/** A delivery with the state of the beginning, so that only the API says what holds. */
const ofSubscription = (name: string) => () => signed(`subscription_${name}`, subscription());
const ofOrder = (name: string) => () => signed(`order_${name}`, order('paid'));

const end = '2026-08-18T11:00:00Z';
const active = ['pro', 'active', 'none', end];
const suspended = ['pro', 'active', 'suspended', end];

function step(name: string, changes: Readonly<Record<string, unknown>>, state: readonly unknown[]): Step {
  return { api: { '/subscriptions/1': subscription(changes) }, delivery: ofSubscription(name), state };
}

const created = step('created', {}, active);
const later = { renews_at: '2026-09-18T11:00:00.000000Z' };

function orderStep(name: string, status: string, state: readonly unknown[]): Step {
  return { api: { '/orders/5': order(status) }, delivery: ofOrder(name), state };
}

const stories: readonly Story[] = [
  {
    title: 'a subscription that is renewed, whose payment fails and is recovered, and that expires',
    steps: [
      created,
      step('updated', later, ['pro', 'active', 'none', '2026-09-18T11:00:00Z']),
      step('updated', { status: 'past_due', ...later }, ['pro', 'past_due', 'none', '2026-09-18T11:00:00Z']),
      step('updated', { status: 'unpaid', ...later }, ['pro', 'past_due', 'suspended', '2026-09-18T11:00:00Z']),
      {
        api: { '/subscriptions/1': subscription({ renews_at: '2026-10-18T11:00:00.000000Z' }) },
        delivery: () => signed('subscription_payment_recovered', invoice('paid')),
        state: ['pro', 'active', 'none', '2026-10-18T11:00:00Z'],
      },
      step('expired', { status: 'expired', ends_at: '2026-10-18T11:00:00.000000Z' }, [
        'pro',
        'active',
        'revoked',
        '2026-10-18T11:00:00Z',
      ]),
    ],
  },
  {
    title: 'a subscription that is canceled, and resumed',
    steps: [
      created,
      step('cancelled', { status: 'cancelled', cancelled: true, ends_at: '2026-08-18T11:00:00.000000Z' }, [
        ...active,
        'canceled',
      ]),
      step('resumed', {}, active),
    ],
  },
  {
    title: 'pauses: a void one suspends until it ends, and a free one gives access',
    steps: [
      created,
      step('paused', { status: 'paused', pause: { mode: 'void', resumes_at: null } }, suspended),
      step('updated', {}, suspended),
      step('unpaused', {}, active),
      step('paused', { status: 'paused', pause: { mode: 'free', resumes_at: '2026-12-18T11:00:00.000000Z' } }, [
        'pro',
        'active',
        'none',
        '2026-12-18T11:00:00Z',
      ]),
    ],
  },
  {
    title: 'a status that Lemon Squeezy adds, also if it is the first',
    steps: [created, step('updated', { status: 'hibernating' }, suspended)],
  },
  { title: 'a first status that is unknown', steps: [step('created', { status: 'hibernating' }, suspended)] },
  {
    title: 'a trial',
    steps: [
      step('created', { status: 'on_trial', trial_ends_at: '2026-07-25T11:00:00.000000Z' }, [
        'pro',
        'trialing',
        'none',
        '2026-07-25T11:00:00Z',
      ]),
      step('updated', {}, active),
    ],
  },
  {
    title: 'a payment that is refunded in part, and one in full',
    steps: [
      created,
      { api: {}, delivery: () => signed('subscription_payment_refunded', invoice('partial_refund')), state: active },
      { api: {}, delivery: () => signed('subscription_payment_refunded', invoice('refunded')), state: suspended },
    ],
  },
  {
    title: 'an order that is refunded in part, and then in full',
    steps: [
      orderStep('created', 'paid', ['basic', 'one_time', 'none', null]),
      orderStep('refunded', 'partial_refund', ['basic', 'one_time', 'none', null]),
      orderStep('refunded', 'refunded', ['basic', 'one_time', 'revoked', null]),
    ],
  },
  {
    title: 'an order with a status that Lemon Squeezy adds',
    steps: [
      orderStep('created', 'paid', ['basic', 'one_time', 'none', null]),
      orderStep('refunded', 'contested', ['basic', 'one_time', 'suspended', null]),
    ],
  },
  {
    title: 'orders that grant nothing: unpaid, unknown, of a subscription, left out',
    steps: [
      ...['pending', 'failed', 'contested', 'refunded'].map((status) => orderStep('created', status, [])),
      { api: { '/orders/5': order('paid', 17) }, delivery: ofOrder('created'), state: [] },
      { api: { '/orders/5': order('paid', 99) }, delivery: ofOrder('created'), state: [] },
    ],
  },
  {
    title: 'a delivery that overtook the grant',
    steps: [{ ...step('updated', later, []), answer: 500 }, step('created', {}, active)],
  },
];

export const lemonSqueezy: TestedVendor = {
  name: 'Lemon Squeezy',
  module: 'lemonsqueezy',
  environment: (api) => ({ LEMONSQUEEZY_SECRET: secret, LEMONSQUEEZY_KEY: apiKey, LEMONSQUEEZY_API: api }),
  stories,
  forged: ({ delivery }) => [
    signed('subscription_created', subscription(), 'another secret'),
    { ...delivery(), headers: {} },
    { ...delivery(), headers: { 'x-signature': '' } },
    { ...delivery(), body: `${delivery().body} ` },
  ],
};
