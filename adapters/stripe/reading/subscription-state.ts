import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { askStripe, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { readPayment, type PaymentOutcome } from './payment-state.ts';
import { readUnpaidSince } from './unpaid-since.ts';

/** A subscription as Stripe has it, and what became of the payments of its latest invoice. */
export interface SubscriptionState {
  readonly subscription: SubscriptionFacts;
  /** Every item, although Stripe shows only the first ones with the subscription. */
  readonly items: readonly ItemFacts[];
  readonly payments: readonly PaymentOutcome[];
  /** When the first period began whose payment is missing, in seconds. Null unless the subscription is past due. */
  readonly unpaidSince: number | null;
  readonly next: NextStep;
}

/** The members of a subscription that decisions depend on. */
type SubscriptionFacts = Pick<
  Stripe.Subscription,
  'status' | 'cancel_at' | 'cancel_at_period_end' | 'canceled_at' | 'created' | 'ended_at' | 'metadata'
> & { readonly pause_collection: object | null };

/** The members of an item that decisions depend on. */
export interface ItemFacts {
  readonly current_period_start: number;
  readonly current_period_end: number;
  /** Absent for metered prices. */
  readonly quantity?: number | undefined;
  readonly price: {
    readonly id: string;
    readonly recurring: { readonly interval: string; readonly interval_count: number } | null;
  };
}

/** With `data`, Stripe refuses more than four levels, so that the intents of the payments are read apart. */
const expand = ['latest_invoice.payments'];

/** Reads a subscription. Null if Stripe does not know it, or does not show it to this key. */
export async function readSubscription(
  stripe: StripeClient,
  id: string,
  call: Call,
): Promise<SubscriptionState | null> {
  const subscription = await findAtStripe(call, (options) => stripe.subscriptions.retrieve(id, { expand }, options));
  if (subscription === null) return null;
  const items = await readItems(stripe, subscription, call);
  const payments: PaymentOutcome[] = [];
  for (const intent of hasEndedAtStripe(subscription) ? [] : paidIntents(subscription.latest_invoice)) {
    const payment = await readPayment(stripe, intent, call);
    if (payment !== null) payments.push(payment.outcome);
  }
  const unpaidSince = subscription.status === 'past_due' ? await readUnpaidSince(stripe, id, call) : null;
  return { subscription, items, payments, unpaidSince, next: nextStep(subscription, items) };
}

/** Reports whether a subscription has ended, which is final at Stripe. */
export function hasEndedAtStripe({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

async function readItems(
  stripe: StripeClient,
  { id, items }: Stripe.Subscription,
  call: Call,
): Promise<readonly Stripe.SubscriptionItem[]> {
  const all = [...items.data];
  for (let hasMore = items.has_more; hasMore;) {
    const page = { subscription: id, limit: 100, starting_after: all.at(-1)?.id ?? '' };
    const next = await askStripe(call, (options) => stripe.subscriptionItems.list(page, options));
    all.push(...next.data);
    hasMore = next.has_more && next.data.length > 0;
  }
  return all;
}

/** The intents by which an invoice was paid. */
function paidIntents(invoice: Stripe.Subscription['latest_invoice']): readonly string[] {
  if (invoice === null || typeof invoice === 'string') return [];
  const paid = invoice.payments?.data.filter(({ status }) => status === 'paid') ?? [];
  return paid.flatMap(({ payment: { payment_intent: intent } }) => {
    if (intent === undefined) return [];
    return [typeof intent === 'string' ? intent : intent.id];
  });
}
