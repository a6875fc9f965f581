import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { askStripe, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';

/**
 * What became of a payment. A refund of a part, an inquiry and a dispute that was won leave it kept. It is lost if the buyer
 * has the money back for good.
 */
export type PaymentOutcome = 'kept' | 'refunded' | 'disputed' | 'lost';

export interface PaymentState {
  readonly outcome: PaymentOutcome;
  /** Whether a refund was made and did not reach the buyer. */
  readonly hasFailedRefund: boolean;
}

/** Reads what became of the payment of an intent. Null if Stripe does not know the intent, or it was never charged. */
export async function readPayment(stripe: StripeClient, intentId: string, call: Call): Promise<PaymentState | null> {
  const expand = ['latest_charge.refunds'];
  const intent = await findAtStripe(call, (options) => stripe.paymentIntents.retrieve(intentId, { expand }, options));
  const charge = intent?.latest_charge ?? null;
  if (charge === null || typeof charge === 'string') return null;
  return stateOf(charge, charge.disputed ? await readDisputes(stripe, charge.id, call) : []);
}

async function readDisputes(stripe: StripeClient, charge: string, call: Call): Promise<readonly Stripe.Dispute[]> {
  const { data } = await askStripe(call, (options) => stripe.disputes.list({ charge, limit: 100 }, options));
  return data;
}

/** Decides by the charge and its disputes. What is lost or refunded counts more than a dispute that is open. */
export function stateOf(
  charge: Pick<Stripe.Charge, 'refunded' | 'refunds'>,
  disputes: readonly Pick<Stripe.Dispute, 'status'>[],
): PaymentState {
  const ofDisputes = disputes.map(({ status }) => outcomeOf(status));
  const hasFailedRefund = charge.refunds?.data.some(({ status }) => failedRefunds.has(status ?? '')) ?? false;
  const outcome = ofDisputes.includes('lost')
    ? 'lost'
    : charge.refunded
      ? 'refunded'
      : (ofDisputes.find((each) => each === 'disputed') ?? 'kept');
  return { outcome, hasFailedRefund };
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
