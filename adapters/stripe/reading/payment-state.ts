import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { askStripe, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';

/** What became of a payment. A refund of a part, an inquiry and a dispute that was won leave it kept. */
export type PaymentFate = 'kept' | 'refunded' | 'disputed' | 'lost';

export interface PaymentState {
  readonly fate: PaymentFate;
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
  const statuses = disputes.map(({ status }) => status);
  const hasFailedRefund = charge.refunds?.data.some(({ status }) => status === 'failed') ?? false;
  const fate = statuses.includes('lost')
    ? 'lost'
    : charge.refunded
      ? 'refunded'
      : statuses.some((status) => openDisputes.has(status))
        ? 'disputed'
        : 'kept';
  return { fate, hasFailedRefund };
}

/** A dispute that was lost and is appealed is open again. Inquiries (`warning_…`) take nothing back. */
const openDisputes: ReadonlySet<string> = new Set([
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
]);
