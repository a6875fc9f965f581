import type { VendorDelivery } from '../webhook-handler.ts';
import { apiKey, secret, type Step, type Story, type TestedVendor } from './vendor.ts';

const product = '32-nPAicqbLj8B_WswVlMw==';
export const saleId = 'FO8TXN-dbxYaBdahG97Y-Q==';
export const renewalId = 'A-m3CDDC5dlrSdKZp0RFhA==';
const memberId = 'GDzW4_aBdQc-o7Gbjng7lw==';
export const gumroadKey = '85DB562A-C11D4B06-A2335A6B-8C079166';

/** A sale as `GET /v2/sales/:id` shows it (https://gumroad.com/api#sales): `refunded` is left out until it is. */
export function sale(changes: Readonly<Record<string, unknown>> = {}): unknown {
  return {
    success: true,
    sale: {
      id: saleId,
      email: 'ada@example.com',
      seller_id: 'RkCCaDkPPciPd9155vcaJg==',
      timestamp: 'about 1 hour ago',
      created_at: '2026-07-18T11:00:00Z',
      product_name: 'Sketchpad',
      product_has_variants: false,
      price: 3100,
      formatted_total_price: '$31',
      product_id: product,
      product_permalink: 'sketchpad',
      partially_refunded: false,
      chargedback: false,
      disputed: false,
      dispute_won: false,
      paid: true,
      has_variants: false,
      custom_fields: {},
      order_id: 524459935,
      license_key: gumroadKey,
      quantity: 1,
      ...changes,
    },
  };
}

/** A charge of a membership. */
export function charge(changes: Readonly<Record<string, unknown>> = {}): unknown {
  const membership = { subscription_id: memberId, subscription_duration: 'monthly', recurring_charge: false };
  return sale({ ...membership, is_recurring_billing: true, cancelled: false, ended: false, ...changes });
}

/** A subscriber as `GET /v2/subscribers/:id` shows it (https://gumroad.com/api#subscribers). */
export function subscriber(changes: Readonly<Record<string, unknown>> = {}): unknown {
  return {
    success: true,
    subscriber: {
      id: memberId,
      email: 'ada@example.com',
      product_id: product,
      product_name: 'Sketchpad',
      user_id: null,
      user_email: null,
      purchase_ids: [saleId],
      created_at: '2026-07-18T11:00:00Z',
      user_requested_cancellation_at: null,
      charge_occurrence_count: null,
      recurrence: 'monthly',
      cancelled_at: null,
      ended_at: null,
      failed_at: null,
      free_trial_ends_at: null,
      license_key: gumroadKey,
      status: 'alive',
      ...changes,
    },
  };
}

export const sales = `/sales/${encodeURIComponent(saleId)}`;
export const renewals = `/sales/${encodeURIComponent(renewalId)}`;
export const members = `/subscribers/${encodeURIComponent(memberId)}`;

/** A ping, whose members nobody but Gumroad's API confirms (https://gumroad.com/ping). */
export function ping(values: Readonly<Record<string, string>>, token = secret): VendorDelivery {
  const facts = { seller_id: 'RkCCaDkPPciPd9155vcaJg==', product_id: product, product_name: 'Sketchpad' };
  return {
    vendor: 'gumroad',
    url: `/gumroad?token=${encodeURIComponent(token)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...facts, email: 'ada@example.com', price: '3100', ...values }).toString(),
  };
}

export const ofSale =
  (resource?: string, id = saleId) =>
  () =>
    ping({ sale_id: id, ...(resource === undefined ? {} : { resource_name: resource }) });
const ofMember = (resource: string) => () => ping({ subscription_id: memberId, resource_name: resource });

const bought: Step = { api: { [sales]: sale() }, delivery: ofSale(), state: ['pro', 'one_time', 'none', null] };
const joined: Step = {
  api: { [sales]: charge(), [members]: subscriber() },
  delivery: ofSale(),
  state: ['pro', 'active', 'none', '2026-08-18T11:00:00Z'],
};
const second = { id: renewalId, recurring_charge: true, created_at: '2026-08-18T11:30:00Z' };
const both = { purchase_ids: [saleId, renewalId] };
const renewed: Step = {
  api: { [renewals]: charge(second), [members]: subscriber(both) },
  delivery: ofSale(undefined, renewalId),
  state: ['pro', 'active', 'none', '2026-09-18T11:30:00Z'],
};
const membership = ['pro', 'active', 'none', '2026-08-18T11:00:00Z'];
const suspended = ['pro', 'active', 'suspended', '2026-08-18T11:00:00Z'];

const stories: readonly Story[] = [
  {
    title: 'a purchase in a dispute that is won, and then refunded',
    steps: [
      bought,
      {
        api: { [sales]: sale({ disputed: true, chargedback: true }) },
        delivery: ofSale('dispute'),
        state: ['pro', 'one_time', 'suspended', null],
      },
      {
        api: { [sales]: sale({ disputed: true, chargedback: true, dispute_won: true }) },
        delivery: ofSale('dispute_won'),
        state: ['pro', 'one_time', 'none', null],
      },
      {
        api: { [sales]: sale({ partially_refunded: true }) },
        delivery: ofSale('refund'),
        state: ['pro', 'one_time', 'none', null],
      },
      {
        api: { [sales]: sale({ refunded: true }) },
        delivery: ofSale('refund'),
        state: ['pro', 'one_time', 'revoked', null],
      },
    ],
  },
  {
    title: 'a membership that is renewed, whose payment fails, and that is restarted',
    steps: [
      joined,
      renewed,
      {
        api: { [members]: subscriber({ ...both, status: 'pending_failure' }) },
        delivery: ofMember('subscription_updated'),
        state: ['pro', 'past_due', 'none', '2026-09-18T11:30:00Z'],
      },
      {
        api: { [members]: subscriber({ ...both, status: 'failed_payment', failed_at: '2026-09-23T11:30:00Z' }) },
        delivery: ofMember('subscription_ended'),
        state: ['pro', 'past_due', 'suspended', '2026-09-18T11:30:00Z'],
      },
      {
        api: { [members]: subscriber(both) },
        delivery: ofMember('subscription_restarted'),
        state: ['pro', 'past_due', 'none', '2026-09-18T11:30:00Z'],
      },
      {
        api: { [renewals]: charge({ ...second, created_at: '2026-09-30T11:30:00Z' }) },
        delivery: ofSale(undefined, renewalId),
        state: ['pro', 'active', 'none', '2026-10-30T11:30:00Z'],
      },
    ],
  },
  {
    title: 'a membership that is canceled: access ends with the period',
    steps: [
      joined,
      {
        api: { [members]: subscriber({ status: 'pending_cancellation', cancelled_at: '2026-08-18T11:00:00Z' }) },
        delivery: ofMember('cancellation'),
        state: membership,
      },
      {
        api: { [members]: subscriber({ status: 'cancelled', cancelled_at: '2026-08-18T11:00:00Z' }) },
        delivery: ofMember('subscription_ended'),
        state: suspended,
      },
    ],
  },
  {
    title: 'a membership with a status that Gumroad adds',
    steps: [
      joined,
      {
        api: { [members]: subscriber({ status: 'hibernating' }) },
        delivery: ofMember('cancellation'),
        state: suspended,
      },
    ],
  },
  {
    title: 'a charge of a membership that is refunded',
    steps: [joined, { api: { [sales]: charge({ refunded: true }) }, delivery: ofSale('refund'), state: suspended }],
  },
  {
    title: 'a trial',
    steps: [
      {
        api: { [sales]: charge(), [members]: subscriber({ free_trial_ends_at: '2026-07-25T11:00:00Z' }) },
        delivery: ofSale(),
        state: ['pro', 'trialing', 'none', '2026-07-25T11:00:00Z'],
      },
    ],
  },
  {
    title: 'a variant, and a month with fewer days',
    steps: [
      {
        api: {
          [sales]: charge({ created_at: '2026-07-18T11:00:00Z', variants: { Tier: 'Studio' } }),
          [members]: subscriber({ recurrence: 'quarterly' }),
        },
        delivery: ofSale(),
        state: ['studio', 'active', 'none', '2026-10-18T11:00:00Z'],
      },
      {
        api: {
          [renewals]: charge({ ...second, created_at: '2026-10-31T11:00:00Z', variants: { Tier: 'Studio' } }),
          [members]: subscriber({ ...both, recurrence: 'monthly' }),
        },
        delivery: ofSale(undefined, renewalId),
        state: ['studio', 'active', 'none', '2026-11-30T11:00:00Z'],
      },
    ],
  },
  {
    title: 'a product that is mapped to null, one without a license key, and one that the map lacks',
    steps: [
      { api: { [sales]: sale({ product_id: 'mug' }) }, delivery: ofSale(), state: [] },
      { api: { [sales]: sale({ license_key: undefined }) }, delivery: ofSale(), state: [] },
      { api: { [sales]: sale({ product_id: 'new' }) }, delivery: ofSale(), answer: 500, state: [] },
    ],
  },
  {
    title: 'a sale that Gumroad does not know, whatever the ping says',
    steps: [{ api: {}, delivery: ofSale(), answer: 500, state: [] }],
  },
];

export const gumroad: TestedVendor = {
  name: 'Gumroad',
  module: 'gumroad',
  environment: (api) => ({ GUMROAD_SECRET: secret, GUMROAD_KEY: apiKey, GUMROAD_API: api }),
  stories,
  forged: () => [
    ping({ sale_id: saleId }, 'a guess'),
    ping({ sale_id: saleId }, ''),
    { ...ping({ sale_id: saleId }), url: '/gumroad' },
  ],
};
