import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { allOf, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { billedBySession, chargedBy, type Charged } from './charged.ts';
import { readIntent, stateOf, type PaymentState } from './payment-state.ts';
import { idOf } from './reference.ts';

/** The members of a session that say who has brought the buyer. */
export type CheckoutFacts = Pick<
  Stripe.Checkout.Session,
  'id' | 'created' | 'client_reference_id' | 'currency' | 'customer_details' | 'discounts' | 'metadata'
>;

/** A checkout session as Stripe has it. */
export type SessionState =
  | { readonly kind: 'subscription'; readonly subscriptionId: string; readonly session: CheckoutFacts }
  | PurchaseState
  /** Not complete, so that there is no subscription yet; expired before that; or it collects a payment method only. */
  | { readonly kind: 'unfinished' | 'failed' | 'nothing sold' };

export interface PurchaseState {
  readonly kind: 'purchase';
  readonly session: CheckoutFacts;
  /** The prices of all its lines, in their order. */
  readonly prices: readonly string[];
  /** The quantity of each. */
  readonly quantities: readonly (number | null)[];
  readonly isPaid: boolean;
  /** Whether no payment of it can arrive any more. */
  readonly hasFailed: boolean;
  /** Null for what cost nothing. */
  readonly payment: PaymentState | null;
  /** The money of that payment. */
  readonly charged: Charged | null;
}

/** Reads a checkout session. Null if Stripe does not know it, or does not show it to this key. */
export async function readSession(stripe: StripeClient, id: string, call: Call): Promise<SessionState | null> {
  const expand = ['line_items', 'payment_intent'];
  const session = await findAtStripe(call, (options) => stripe.checkout.sessions.retrieve(id, { expand }, options));
  if (session === null) return null;
  if (session.mode === 'payment') return readPurchase(stripe, session, call);
  if (session.mode !== 'subscription') return { kind: 'nothing sold' };
  const subscriptionId = idOf(session.subscription);
  if (subscriptionId !== null) return { kind: 'subscription', subscriptionId, session };
  return { kind: session.status === 'expired' ? 'failed' : 'unfinished' };
}

async function readPurchase(
  stripe: StripeClient,
  session: Stripe.Checkout.Session,
  call: Call,
): Promise<PurchaseState> {
  const intent = idOf(session.payment_intent);
  const lines = await readLines(stripe, session, call);
  const read = intent === null ? null : await readIntent(stripe, intent, call);
  return {
    kind: 'purchase',
    session,
    prices: lines.map(({ price }) => price.id),
    quantities: lines.map(({ quantity }) => quantity),
    isPaid: isPaid(session),
    hasFailed: hasFailed(session),
    payment: read && stateOf(read.charge, read.disputes),
    charged: read && chargedBy(read.charge, read.disputes, billedBySession(session)),
  };
}

/** Reports whether the seller has the money of a purchase, or a dispute about it is open. */
export function isSold({ isPaid: paid, payment }: Pick<PurchaseState, 'isPaid' | 'payment'>): boolean {
  return paid && payment?.outcome !== 'refunded' && payment?.outcome !== 'lost';
}

/** A session that costs nothing needs no payment even before the buyer has completed it. */
export function isPaid({ payment_status, status }: Stripe.Checkout.Session): boolean {
  return payment_status === 'paid' || (payment_status === 'no_payment_required' && status === 'complete');
}

/** The statuses of an intent for which Stripe waits for no money, once its session is complete. */
const failed: ReadonlySet<string> = new Set(['requires_payment_method', 'canceled']);

/** Whether a session has expired, or its payment by a method that takes days has failed. */
function hasFailed({ status, payment_status: paid, payment_intent: intent }: Stripe.Checkout.Session): boolean {
  if (status === 'expired') return true;
  const isWaiting = status === 'complete' && paid === 'unpaid';
  return isWaiting && intent !== null && typeof intent === 'object' && failed.has(intent.status);
}

interface SoldLine {
  readonly price: Pick<Stripe.Price, 'id'>;
  readonly quantity: number | null;
}

/** The lines that have a price. */
async function readLines(
  stripe: StripeClient,
  { id, line_items: shown }: Stripe.Checkout.Session,
  call: Call,
): Promise<readonly SoldLine[]> {
  const all = await allOf(call, shown, (page, options) => stripe.checkout.sessions.listLineItems(id, page, options));
  return all.flatMap(({ price, quantity }) => (price === null ? [] : [{ price, quantity }]));
}
