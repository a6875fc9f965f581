import type { Stripe } from 'stripe';
import type { Promotions } from '../../../core/affiliate/promotions.port.ts';
import { hasCodes } from '../../../core/affiliate/selling/find-seller.ts';
import type { PriceMap } from '../../../core/billing/price-map.port.ts';
import type { NewCall } from '../../../core/call.ts';
import type { ReadReceiverBacklog } from '../../../core/receiver/own-receiver.ts';
import { askStripe, pages } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { eventTypes } from '../hook/event-subjects.ts';
import { failureOf, problemOf } from './check-failure.ts';

export interface CheckParts {
  readonly stripe: StripeClient;
  readonly prices: Pick<PriceMap, 'find'>;
  readonly readBacklog: ReadReceiverBacklog;
  readonly hasSecret: boolean;
  readonly promotions: Pick<Promotions, 'page'>;
}

/** One thing that was checked. The message says what to do if it is not in order. */
export type StripeFinding = {
  readonly ok: boolean;
  readonly message: string;
} & (
  | { readonly check: 'key' | 'endpoint' | 'prices' }
  /** Changes that Stripe does not know. */
  | { readonly check: 'backlog'; readonly pending: number; readonly parked: number }
);

/** Checks the key, the endpoint, the map of prices, and what waits to go to Stripe. Never throws for what Stripe answers. */
export type CheckStripe = (newCall: NewCall) => Promise<readonly StripeFinding[]>;

export function checkStripe(parts: CheckParts): CheckStripe {
  return async (newCall) => {
    const backlog = await checkBacklog(parts, newCall);
    const key = await checkKey(parts, newCall);
    // Without a valid key every other answer of Stripe would be the same.
    if (!key.isUsable) return [...key.findings, backlog];
    const endpoint = await checkEndpoint(parts, newCall);
    return [...key.findings, ...endpoint, ...(await checkPrices(parts, newCall)), backlog];
  };
}

async function checkBacklog({ readBacklog }: CheckParts, newCall: NewCall): Promise<StripeFinding> {
  const { pending, parked } = await readBacklog(newCall());
  const counts = `Changes that wait to go to Stripe: ${pending} pending, ${parked} parked`;
  const ok = parked === 0;
  const message = ok ? `${counts}.` : `${counts}: send them with latchkey stripe reconcile --fix.`;
  return { check: 'backlog', ok, message, pending, parked };
}

type Read = (stripe: StripeClient, options: Stripe.RequestOptions) => Promise<unknown>;

const one = { limit: 1 };

/** The permissions of the key, as Stripe's dashboard names them. */
const permissions: Readonly<Record<string, Read>> = {
  Subscriptions: (stripe, options) => stripe.subscriptions.list(one, options),
  'Checkout Sessions': (stripe, options) => stripe.checkout.sessions.list(one, options),
  Invoices: (stripe, options) => stripe.invoicePayments.list(one, options),
  PaymentIntents: (stripe, options) => stripe.paymentIntents.list(one, options),
  Disputes: (stripe, options) => stripe.disputes.list(one, options),
  Events: (stripe, options) => stripe.events.list(one, options),
  Customers: (stripe, options) => stripe.customers.list(one, options),
};

/** Needed once an affiliate has a code of Stripe. */
const forCodes: typeof permissions = {
  'Promotion Codes': (stripe, options) => stripe.promotionCodes.list(one, options),
};

async function checkKey(
  { stripe, promotions }: CheckParts,
  newCall: NewCall,
): Promise<{ readonly findings: readonly StripeFinding[]; readonly isUsable: boolean }> {
  const findings: StripeFinding[] = [];
  const needed = (await hasCodes(promotions, null, newCall)) ? { ...permissions, ...forCodes } : permissions;
  for (const [name, read] of Object.entries(needed)) {
    const failure = await failureOf(() => askStripe(newCall(), (options) => read(stripe, options)));
    if (failure === null) continue;
    const finding: StripeFinding = { check: 'key', ok: false, message: problemOf(failure, name) };
    if (failure.kind === 'no answer' || failure.status !== 403) return { findings: [finding], isUsable: false };
    findings.push(finding);
  }
  const valid: StripeFinding = {
    check: 'key',
    ok: true,
    message: 'The key is valid and may read what Latchkey reads.',
  };
  return { findings: findings.length > 0 ? findings : [valid], isUsable: true };
}

async function checkEndpoint({ stripe, hasSecret }: CheckParts, newCall: NewCall): Promise<readonly StripeFinding[]> {
  const findings: StripeFinding[] = [];
  if (!hasSecret) findings.push(endpointProblem('STRIPE_WEBHOOK_SECRET is not set: set it to that of the endpoint.'));
  const endpoints: Stripe.WebhookEndpoint[] = [];
  const failure = await failureOf(async () => {
    for await (const each of pages(newCall, (page, options) => stripe.webhookEndpoints.list(page, options))) {
      endpoints.push(each);
    }
  });
  if (failure !== null) {
    findings.push(endpointProblem(`The endpoint could not be read. ${problemOf(failure, 'Webhook Endpoints')}`));
    return findings;
  }
  const ours = endpoints.filter(({ url }) => URL.parse(url)?.pathname.endsWith('/hooks/stripe') === true);
  if (ours.length === 0) {
    findings.push(endpointProblem('No endpoint at Stripe has a URL that ends with /hooks/stripe: add one.'));
  }
  for (const { url, status, enabled_events: types } of ours) {
    const missing = types.includes('*') ? [] : eventTypes.filter((type) => !types.includes(type));
    if (status !== 'enabled') findings.push(endpointProblem(`The endpoint ${url} is disabled: enable it at Stripe.`));
    if (missing.length > 0) {
      findings.push(endpointProblem(`The endpoint ${url} does not get ${missing.join(', ')}: add them at Stripe.`));
    }
  }
  if (findings.length > 0) return findings;
  return [{ check: 'endpoint', ok: true, message: 'The endpoint is enabled and gets every type that it needs.' }];
}

async function checkPrices({ stripe, prices }: CheckParts, newCall: NewCall): Promise<readonly StripeFinding[]> {
  const findings: StripeFinding[] = [];
  let active = 0;
  const failure = await failureOf(async () => {
    for await (const { id } of pages(newCall, (page, options) =>
      stripe.prices.list({ active: true, ...page }, options),
    )) {
      active += 1;
      if ((await prices.find(id, newCall())) !== null) continue;
      const message = `The price ${id} is not mapped: map it with stripe map add --price ${id}, or archive it at Stripe.`;
      findings.push({ check: 'prices', ok: false, message });
    }
  });
  if (failure !== null) {
    const message = `The prices could not be read. ${problemOf(failure, 'Prices')}`;
    return [{ check: 'prices', ok: false, message }];
  }
  if (findings.length > 0) return findings;
  const message = active > 0 ? 'Every active price is mapped.' : 'Stripe has no active price: nothing is sold there.';
  return [{ check: 'prices', ok: true, message }];
}

function endpointProblem(message: string): StripeFinding {
  return { check: 'endpoint', ok: false, message };
}
