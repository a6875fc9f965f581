import type { Stripe } from 'stripe';
import { dashboardUrl, isLive, salePage } from '../../../core/billing/stripe-dashboard.ts';
import { deadlineIn, type Call, type MonotonicClock } from '../../../core/call.ts';
import type { Payment, ReadAtStripe, StripeAnswer } from '../../../core/purchase/stripe-sale.ts';
import { askStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { intervalOf } from '../decision/decide-subscription.ts';
import { nextStep } from '../reading/next-step.ts';
import { readChargeState, readInvoicePayments, type PaymentState } from '../reading/payment-state.ts';
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

/** The result of one read, with the pages of the dashboard. */
interface Found {
  readonly page: string;
  readonly invoicePage: string | null;
  readonly answer: StripeAnswer;
}

export function readAtStripe({ client, apiKey, monotonicClock }: Parts): ReadAtStripe {
  return async (id, call) => {
    const livemode = isLive(apiKey, id);
    const { page, invoicePage, answer } = await read(client, id, boundedCall(call, monotonicClock)).catch(() => ({
      page: salePage(id),
      invoicePage: null,
      answer: null,
    }));
    const invoiceUrl = invoicePage === null ? null : dashboardUrl(invoicePage, { livemode });
    return { url: dashboardUrl(page, { livemode }), invoiceUrl, livemode, answer };
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
  const { status, currency, items, pause_collection: paused } = subscription;
  const [item] = items.data;
  // The latest invoice need not be the one that Stripe tries to collect, nor the one that access rests on.
  const { invoices, paid } = item === undefined ? noPeriods : await readPeriods(stripe, subscription, item, call);
  const next = nextStep(subscription, items.has_more ? [] : items.data, invoices);
  return {
    page: salePage(id),
    invoicePage: paid === null ? null : `invoices/${encodeURIComponent(paid.id)}`,
    answer: {
      status,
      next: next.kind,
      nextAt: next.kind === 'none' ? null : next.at,
      amount: next.kind === 'charge' ? next.amount : null,
      currency,
      interval: item === undefined ? null : intervalOf(item),
      lastPayment: paid === null ? null : await paymentOf(stripe, paid, call),
      isPaused: paused !== null,
    },
  };
}

async function paymentOf(stripe: StripeClient, invoice: Stripe.Invoice, call: Call): Promise<Payment | null> {
  const { amount_paid: amount, currency, status_transitions: at } = invoice;
  if (amount === 0 || at.paid_at === null) return null;
  const states = await readInvoicePayments(stripe, invoice, call);
  return { at: new Date(at.paid_at * 1000), amount, currency, ...becameOf(states) };
}

/** The outcome of the parts of a payment. */
function becameOf(states: readonly PaymentState[]): Pick<Payment, 'refunded' | 'refundedAt' | 'dispute'> {
  const outcomes = states.map(({ outcome }) => outcome);
  const times = states.flatMap(({ refundedAt }) => (refundedAt === null ? [] : [refundedAt]));
  return {
    refunded: states.reduce((sum, { refunded }) => sum + refunded, 0),
    refundedAt: times.length === 0 ? null : new Date(Math.max(...times) * 1000),
    dispute: outcomes.includes('lost') ? 'lost' : outcomes.includes('disputed') ? 'open' : null,
  };
}

async function readPurchase(stripe: StripeClient, id: string, call: Call): Promise<Found> {
  const expand = ['payment_intent.latest_charge.refunds'];
  const session = await askStripe(call, (options) => stripe.checkout.sessions.retrieve(id, { expand }, options));
  const { payment_intent: intent, payment_status: paid, amount_total: amount, currency } = session;
  const charge = intent === null || typeof intent === 'string' ? null : intent.latest_charge;
  const known = charge === null || typeof charge === 'string' ? null : charge;
  const status = known?.refunded === true ? 'refunded' : known?.disputed === true ? 'disputed' : paid;
  const intentId = idOf(intent);
  const state = isPaid(session) && known !== null ? await readChargeState(stripe, known, call) : null;
  const page = intentId === null ? null : `payments/${encodeURIComponent(intentId)}`;
  return {
    page: page ?? salePage(id),
    invoicePage: known === null ? null : page,
    answer: {
      status,
      next: 'none',
      nextAt: null,
      amount,
      currency,
      interval: null,
      lastPayment:
        state !== null && known !== null
          ? { at: new Date(known.created * 1000), amount: known.amount, currency: known.currency, ...becameOf([state]) }
          : null,
      isPaused: false,
    },
  };
}
