import type { Stripe } from 'stripe';
import { dashboardUrl, isLive, salePage } from '../../../core/billing/stripe-dashboard.ts';
import { deadlineIn, type Call, type MonotonicClock } from '../../../core/call.ts';
import type { Payment, ReadAtStripe, StripeAnswer } from '../../../core/purchase/stripe-sale.ts';
import { askStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { intervalOf } from '../decision/decide-subscription.ts';
import { nextStep } from '../reading/next-step.ts';
import { noPeriods, readPeriods, withLatestInvoice } from '../reading/periods.ts';
import { idOf } from '../reading/reference.ts';
import { isPaid } from '../reading/session-state.ts';

/** Milliseconds that a person waits for Stripe. */
const maxWait = 2000;

interface Parts {
  /** Called by the first read. */
  readonly client: () => Promise<StripeClient>;
  readonly apiKey: string;
  readonly monotonicClock: MonotonicClock;
}

/** What one read has found, with the page of the dashboard. */
interface Found {
  readonly page: string;
  readonly answer: StripeAnswer;
}

export function readAtStripe({ client, apiKey, monotonicClock }: Parts): ReadAtStripe {
  return async (id, call) => {
    const livemode = isLive(apiKey, id);
    const { page, answer } = await read(client, id, boundedCall(call, monotonicClock)).catch(() => ({
      page: salePage(id),
      answer: null,
    }));
    return { url: dashboardUrl(page, { livemode }), livemode, answer };
  };
}

function boundedCall(call: Call, clock: MonotonicClock): Call {
  const deadline = deadlineIn(maxWait, clock);
  return { ...call, deadline: { remaining: () => Math.min(deadline.remaining(), call.deadline.remaining()) } };
}

async function read(client: Parts['client'], id: string, call: Call): Promise<Found> {
  const stripe = await client();
  return id.startsWith('sub_') ? readSubscription(stripe, id, call) : readPurchase(stripe, id, call);
}

async function readSubscription(stripe: StripeClient, id: string, call: Call): Promise<Found> {
  const subscription = await askStripe(call, (options) =>
    stripe.subscriptions.retrieve(id, { expand: withLatestInvoice }, options),
  );
  const { status, currency, items, latest_invoice: invoice, pause_collection: paused } = subscription;
  const [item] = items.data;
  // The latest invoice need not be the one that Stripe tries to collect.
  const isOwed = status === 'past_due' && item !== undefined;
  const { invoices } = isOwed ? await readPeriods(stripe, subscription, item, call) : noPeriods;
  const next = nextStep(subscription, items.has_more ? [] : items.data, invoices);
  return {
    page: salePage(id),
    answer: {
      status,
      next: next.kind,
      nextAt: next.kind === 'none' ? null : next.at,
      amount: next.kind === 'charge' ? next.amount : null,
      currency,
      interval: item === undefined ? null : intervalOf(item),
      lastPayment: invoice === null || typeof invoice === 'string' ? null : paymentOf(invoice),
      isPaused: paused !== null,
    },
  };
}

function paymentOf({ status, amount_paid: amount, currency, status_transitions: at }: Stripe.Invoice): Payment | null {
  if (status !== 'paid' || amount === 0 || at.paid_at === null) return null;
  return { at: new Date(at.paid_at * 1000), amount, currency };
}

async function readPurchase(stripe: StripeClient, id: string, call: Call): Promise<Found> {
  const expand = ['payment_intent.latest_charge'];
  const session = await askStripe(call, (options) => stripe.checkout.sessions.retrieve(id, { expand }, options));
  const { payment_intent: intent, payment_status: paid, amount_total: amount, currency } = session;
  const charge = intent === null || typeof intent === 'string' ? null : intent.latest_charge;
  const known = charge === null || typeof charge === 'string' ? null : charge;
  const status = known?.refunded === true ? 'refunded' : known?.disputed === true ? 'disputed' : paid;
  const intentId = idOf(intent);
  return {
    page: intentId === null ? salePage(id) : `payments/${encodeURIComponent(intentId)}`,
    answer: {
      status,
      next: 'none',
      nextAt: null,
      amount,
      currency,
      interval: null,
      lastPayment:
        isPaid(session) && known !== null
          ? { at: new Date(known.created * 1000), amount: known.amount, currency: known.currency }
          : null,
      isPaused: false,
    },
  };
}
