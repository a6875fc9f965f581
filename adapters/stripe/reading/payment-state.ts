import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { allOf, askStripe, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { idOf } from './reference.ts';

/**
 * The outcome of a payment. A refund of a part, an inquiry and a dispute that was won leave it kept. It is lost if the
 * money was returned to the buyer permanently.
 */
export type PaymentOutcome = 'kept' | 'refunded' | 'disputed' | 'lost';

export interface PaymentState {
  readonly outcome: PaymentOutcome;
  /** The amount that was returned to the buyer, in minor units, without refunds that failed. */
  readonly refunded: number;
  /** When the last of it was returned, in seconds; null if nothing was. */
  readonly refundedAt: number | null;
  /** Whether a refund was made and did not reach the buyer. */
  readonly hasFailedRefund: boolean;
}

/** A charge, with the disputes of a disputed one. */
export interface ChargeRead {
  readonly charge: Stripe.Charge;
  readonly disputes: readonly Stripe.Dispute[];
}

/** Reads the charge of an intent with its refunds. Null if Stripe does not know the intent, or it was never charged. */
export async function readIntent(stripe: StripeClient, intentId: string, call: Call): Promise<ChargeRead | null> {
  const expand = ['latest_charge.refunds'];
  const intent = await findAtStripe(call, (options) => stripe.paymentIntents.retrieve(intentId, { expand }, options));
  const charge = intent?.latest_charge ?? null;
  return charge === null || typeof charge === 'string' ? null : withDisputes(stripe, charge, call);
}

/** Asks Stripe only for the disputes of a disputed charge. */
async function withDisputes(stripe: StripeClient, charge: Stripe.Charge, call: Call): Promise<ChargeRead> {
  return { charge, disputes: charge.disputed ? await readDisputes(stripe, charge.id, call) : [] };
}

/** Reads what became of each payment of an invoice, of which it shows the first ones. */
export async function readInvoicePayments(
  stripe: StripeClient,
  { id: invoice, payments: shown }: Pick<Stripe.Invoice, 'id' | 'payments'>,
  call: Call,
): Promise<readonly PaymentState[]> {
  const payments = await allOf(call, shown, (page, options) =>
    stripe.invoicePayments.list({ invoice, ...page }, options),
  );
  const states: PaymentState[] = [];
  for (const { status, payment } of payments) {
    const state = status === 'paid' ? await readState(stripe, payment, call) : null;
    if (state !== null) states.push(state);
  }
  return states;
}

const kept: PaymentState = { outcome: 'kept', refunded: 0, refundedAt: null, hasFailedRefund: false };

/** A charge without an intent is one from before 2019. A payment outside Stripe is kept. */
async function readState(
  stripe: StripeClient,
  { type, payment_intent: intent, charge }: Stripe.InvoicePayment.Payment,
  call: Call,
): Promise<PaymentState | null> {
  const id = idOf(intent ?? charge);
  if (id === null) return type === 'payment_record' ? kept : null;
  if (type === 'charge') return readCharge(stripe, id, call);
  const read = await readIntent(stripe, id, call);
  return read === null ? null : stateOf(read.charge, read.disputes);
}

async function readCharge(stripe: StripeClient, id: string, call: Call): Promise<PaymentState | null> {
  const expand = ['refunds'];
  const charge = await findAtStripe(call, (options) => stripe.charges.retrieve(id, { expand }, options));
  return charge === null ? null : readChargeState(stripe, charge, call);
}

/** Reads what became of a charge that was read with its refunds. Asks Stripe only for the disputes of a disputed one. */
export async function readChargeState(stripe: StripeClient, charge: Stripe.Charge, call: Call): Promise<PaymentState> {
  const { disputes } = await withDisputes(stripe, charge, call);
  return stateOf(charge, disputes);
}

/** Reads the disputes of a charge. */
export async function readDisputes(
  stripe: StripeClient,
  charge: string,
  call: Call,
): Promise<readonly Stripe.Dispute[]> {
  const { data } = await askStripe(call, (options) => stripe.disputes.list({ charge, limit: 100 }, options));
  return data;
}

/** Decides by the charge and its disputes. A loss or a refund counts more than a dispute that is open. */
export function stateOf(
  charge: Pick<Stripe.Charge, 'amount_refunded' | 'refunded' | 'refunds'>,
  disputes: readonly Pick<Stripe.Dispute, 'status'>[],
): PaymentState {
  const ofDisputes = disputes.map(({ status }) => outcomeOf(status));
  const refunds = charge.refunds?.data ?? [];
  const made = refunds.filter(({ status }) => !failedRefunds.has(status ?? ''));
  const hasFailedRefund = made.length < refunds.length;
  // Stripe shows the last ten of a charge with more.
  const isWhole = charge.refunds?.has_more === false;
  const refunded = isWhole ? made.reduce((sum, { amount }) => sum + amount, 0) : charge.amount_refunded;
  const refundedAt = made.length === 0 ? null : Math.max(...made.map(({ created }) => created));
  const outcome = ofDisputes.includes('lost')
    ? 'lost'
    : charge.refunded
      ? 'refunded'
      : (ofDisputes.find((each) => each === 'disputed') ?? 'kept');
  return { outcome, refunded, refundedAt, hasFailedRefund };
}

/** The refunds of which the buyer has nothing. */
const failedRefunds: ReadonlySet<string> = new Set(['failed', 'canceled']);

/**
 * The outcome of a payment with a dispute of this status. One that was prevented ended with the money at the buyer.
 * Inquiries (`warning_…`) take nothing back. Any other status is an open dispute: of one that Stripe adds, nobody knows
 * whether the money stays, and an open dispute can be undone.
 */
function outcomeOf(status: string): PaymentOutcome {
  if (status === 'lost' || status === 'prevented') return 'lost';
  return status === 'won' || status.startsWith('warning_') ? 'kept' : 'disputed';
}
