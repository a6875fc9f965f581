import { hasEnded } from '../shop/cancellation.ts';
import { itemsOf } from '../shop/subscriptions.ts';
import { searchCustomers } from './customer-search.ts';
import { textOf } from './parameters.ts';
import { refusals } from './refusals.ts';
import { collection, found, list, newest, retrieve, type Route } from './route.ts';
import { cancelSubscription, updateSubscription } from './subscription-updates.ts';

/** The endpoints of the fake. */
export const routes: readonly Route[] = [
  retrieve('/v1/subscriptions/:id', 'subscription', 'subscription', ({ subscriptions }) => subscriptions),
  updateSubscription,
  cancelSubscription,
  list(
    '/v1/subscriptions',
    'subscription',
    (asked) => {
      const all = newest(({ subscriptions }) => subscriptions)(asked);
      return textOf(asked.parameters, 'status') === undefined ? all.filter(({ status }) => status !== 'canceled') : all;
    },
    {
      customer: ({ customer }, value) => customer === value,
      price: ({ items }, value) => items.data.some(({ price }) => price.id === value),
      status: (subscription, value) =>
        value === 'all' || (value === 'ended' ? hasEnded(subscription) : subscription.status === value),
    },
  ),
  list(
    '/v1/subscription_items',
    'subscription',
    ({ ledger, parameters }) => {
      const id = textOf(parameters, 'subscription');
      if (id === undefined) throw refusals.missingParameter('subscription');
      return itemsOf(ledger, found(ledger.subscriptions, 'subscription', id));
    },
    { subscription: () => true },
  ),
  // Before the customer of an id.
  searchCustomers,
  ...collection('/v1/customers', 'customer', 'customer', ({ customers }) => customers, {
    email: ({ email }, value) => email === value,
  }),
  ...collection('/v1/checkout/sessions', 'checkout_session', 'checkout.session', ({ sessions }) => sessions, {
    customer: ({ customer }, value) => customer === value,
    'customer_details[email]': ({ customer_details: details }, value) => details?.email === value,
    payment_intent: ({ payment_intent: intent }, value) => intent === value,
    status: ({ status }, value) => status === value,
    subscription: ({ subscription }, value) => subscription === value,
  }),
  list('/v1/checkout/sessions/:id/line_items', 'checkout_session', ({ ledger, id }) =>
    found(ledger.lineItems, 'checkout.session', id).map((item) => ({ ...item, created: 0 })),
  ),
  ...collection('/v1/invoices', 'invoice', 'invoice', ({ invoices }) => invoices, {
    customer: ({ customer }, value) => customer === value,
    status: ({ status }, value) => status === value,
    subscription: ({ parent }, value) => parent?.subscription_details?.subscription === value,
  }),
  list('/v1/invoices/:id/lines', 'invoice', ({ ledger, id }) =>
    found(ledger.invoiceLines, 'invoice', id).map((line) => ({ ...line, created: 0 })),
  ),
  ...collection('/v1/invoice_payments', 'invoice', 'invoice_payment', ({ invoicePayments }) => invoicePayments, {
    invoice: ({ invoice }, value) => invoice === value,
    'payment[type]': ({ payment }, value) => payment.type === value,
    'payment[payment_intent]': ({ payment }, value) => payment.payment_intent === value,
    status: ({ status }, value) => status === value,
  }),
  ...collection('/v1/payment_intents', 'payment_intent', 'payment_intent', ({ paymentIntents }) => paymentIntents, {
    customer: ({ customer }, value) => customer === value,
  }),
  ...collection('/v1/charges', 'charge', 'charge', ({ charges }) => charges, {
    customer: ({ customer }, value) => customer === value,
    payment_intent: ({ payment_intent: intent }, value) => intent === value,
  }),
  ...collection('/v1/refunds', 'charge', 'refund', ({ refunds }) => refunds, {
    charge: ({ charge }, value) => charge === value,
    payment_intent: ({ payment_intent: intent }, value) => intent === value,
  }),
  ...collection('/v1/disputes', 'dispute', 'dispute', ({ disputes }) => disputes, {
    charge: ({ charge }, value) => charge === value,
    payment_intent: ({ payment_intent: intent }, value) => intent === value,
  }),
  ...collection('/v1/promotion_codes', 'promotion_code', 'promotion_code', ({ promotionCodes }) => promotionCodes, {
    active: ({ active }, value) => String(active) === value,
    code: ({ code }, value) => code.toLowerCase() === value.toLowerCase(),
  }),
  retrieve('/v1/events/:id', 'event', 'event', ({ events }) => new Map(events.map((event) => [event.id, event]))),
  list(
    '/v1/events',
    'event',
    ({ ledger }) => ledger.events.filter(({ created }) => created > ledger.now() - kept).toReversed(),
    {
      type: ({ type }, value) => (value.endsWith('.*') ? type.startsWith(value.slice(0, -1)) : type === value),
      'types[*]': ({ type }, value) => value.split(' ').includes(type),
    },
  ),
  ...collection('/v1/prices', 'plan', 'price', ({ prices }) => prices, {
    active: ({ active }, value) => String(active) === value,
    currency: ({ currency }, value) => currency === value,
    product: ({ product }, value) => product === value,
    type: ({ type }, value) => type === value,
  }),
  ...collection('/v1/webhook_endpoints', 'webhook', 'webhook_endpoint', ({ endpoints }) => endpoints),
  {
    method: 'GET',
    path: '/v1/account',
    permission: 'accounts_kyc_basic',
    parameters: ['expand[*]'],
    answer: ({ ledger }) => ledger.account,
  },
] as const satisfies readonly Route[];

/** Seconds for which Stripe lists events. */
const kept = 30 * 86_400;

/** Finds the endpoint of a request, with the id in its path. */
export function routeOf(method: string, path: string): { readonly route: Route; readonly id: string } {
  for (const route of routes) {
    if (route.method !== method) continue;
    const id = new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`).exec(path);
    if (id !== null) return { route, id: decodeURIComponent(id[1] ?? '') };
  }
  throw refusals.unknownUrl(method, path);
}
