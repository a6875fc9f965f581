import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeenRequest } from '../../testing/index.ts';
import { codeOf } from '../support/imports.ts';

const root = join(import.meta.dirname, '../..');

/** The endpoint of each method of the library that the sources call. */
const endpoints: Readonly<Record<string, string>> = {
  'accounts.retrieveCurrent': 'GET /v1/account',
  'charges.list': 'GET /v1/charges',
  'charges.retrieve': 'GET /v1/charges/:id',
  'checkout.sessions.list': 'GET /v1/checkout/sessions',
  'checkout.sessions.listLineItems': 'GET /v1/checkout/sessions/:id/line_items',
  'checkout.sessions.retrieve': 'GET /v1/checkout/sessions/:id',
  'customers.list': 'GET /v1/customers',
  'customers.retrieve': 'GET /v1/customers/:id',
  'customers.search': 'GET /v1/customers/search',
  'disputes.list': 'GET /v1/disputes',
  'disputes.retrieve': 'GET /v1/disputes/:id',
  'events.list': 'GET /v1/events',
  'invoicePayments.list': 'GET /v1/invoice_payments',
  'invoices.list': 'GET /v1/invoices',
  'invoices.listLineItems': 'GET /v1/invoices/:id/lines',
  'invoices.retrieve': 'GET /v1/invoices/:id',
  'paymentIntents.list': 'GET /v1/payment_intents',
  'paymentIntents.retrieve': 'GET /v1/payment_intents/:id',
  'prices.list': 'GET /v1/prices',
  'promotionCodes.list': 'GET /v1/promotion_codes',
  'promotionCodes.retrieve': 'GET /v1/promotion_codes/:id',
  'refunds.retrieve': 'GET /v1/refunds/:id',
  'subscriptionItems.list': 'GET /v1/subscription_items',
  'subscriptions.cancel': 'DELETE /v1/subscriptions/:id',
  'subscriptions.list': 'GET /v1/subscriptions',
  'subscriptions.retrieve': 'GET /v1/subscriptions/:id',
  'subscriptions.update': 'POST /v1/subscriptions/:id',
  'webhookEndpoints.list': 'GET /v1/webhook_endpoints',
};

/** The methods of the library that the sources call, but for those that send nothing. */
export function callsInSources(): ReadonlySet<string> {
  const files = globSync('{adapters,app}/**/*.ts', { cwd: root });
  const calls = files.flatMap((file) => [
    ...codeOf(readFileSync(join(root, file), 'utf8')).matchAll(/\bstripe((?:\.[a-z]\w*){2,3})\(/gi),
  ]);
  const methods = calls.map(([, call = '']) => call.slice(1));
  return new Set(methods.filter((method) => !method.startsWith('webhooks.')));
}

/** The calls of which no request was seen. Throws for one whose endpoint is unknown here. */
export function missingRoutes(calls: ReadonlySet<string>, seen: ReadonlySet<string>): readonly string[] {
  return [...calls].filter((call) => {
    const endpoint = endpoints[call];
    if (endpoint === undefined) throw new Error(`the endpoint of ${call} is missing in test/stripe/calls.ts`);
    return !seen.has(endpoint);
  });
}

/** The endpoint of a request, such as `GET /v1/subscriptions/:id`. */
export function routeOf({ method, path }: SeenRequest): string {
  return `${method} ${path.replace(/\/(sub|in|inpay|cus|pi|ch|re|du|cs_test|price|promo|we|evt)_\w+/, '/:id')}`;
}
