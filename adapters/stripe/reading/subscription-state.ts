import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { allOf, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { readInvoicePayments, type PaymentOutcome } from './payment-state.ts';
import { noPeriods, readPeriods, withLatestInvoice, type Periods } from './periods.ts';

/** A subscription as Stripe has it, and what became of the payments that access rests on. */
export interface SubscriptionState {
  readonly subscription: SubscriptionFacts;
  /** Every item, although Stripe shows only the first ones with the subscription. */
  readonly items: readonly ItemFacts[];
  readonly payments: readonly PaymentOutcome[];
  /** Since when the payment of a period is missing, in seconds. Null unless the subscription is past due for one. */
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

/** A subscription with every item, as Stripe has answered. */
export interface SubscriptionRead {
  readonly subscription: Stripe.Subscription;
  readonly items: readonly Stripe.SubscriptionItem[];
}

/** Reads a subscription. Null if Stripe does not know it, or does not show it to this key. */
export async function readSubscription(stripe: StripeClient, id: string, call: Call): Promise<SubscriptionRead | null> {
  const subscription = await findAtStripe(call, (options) =>
    stripe.subscriptions.retrieve(id, { expand: withLatestInvoice }, options),
  );
  if (subscription === null) return null;
  const items = await allOf(call, subscription.items, (page, options) =>
    stripe.subscriptionItems.list({ subscription: id, ...page }, options),
  );
  return { subscription, items };
}

/** Reads what became of the payments of a subscription. `index` is the place of the item whose period counts. */
export async function readPayments(
  stripe: StripeClient,
  { subscription, items }: SubscriptionRead,
  index: number,
  call: Call,
): Promise<SubscriptionState> {
  const item = items[index] ?? items[0];
  const hasPeriods = item !== undefined && !hasEndedAtStripe(subscription);
  const periods = hasPeriods ? await readPeriods(stripe, subscription, item, call) : noPeriods;
  const paid = periods.paid === null ? [] : await readInvoicePayments(stripe, periods.paid, call);
  return {
    subscription,
    items,
    payments: paid.map(({ outcome }) => outcome),
    unpaidSince: unpaidSinceOf(subscription, periods, item),
    next: nextStep(subscription, items, periods.invoices),
  };
}

/** Reports whether a subscription has begun and not ended. */
export function goesOn(subscription: Pick<Stripe.Subscription, 'status'>): boolean {
  return subscription.status !== 'incomplete' && !hasEndedAtStripe(subscription);
}

/** While no period is unpaid, that of an invoice in the middle takes nothing. */
function unpaidSinceOf(
  { status }: Pick<Stripe.Subscription, 'status'>,
  { unpaidSince, isMiddleUnpaid }: Periods,
  item: ItemFacts | undefined,
): number | null {
  if (status !== 'past_due' || item === undefined) return null;
  return unpaidSince ?? (isMiddleUnpaid ? null : item.current_period_start);
}

/** Reports whether a subscription has ended, which is final at Stripe. */
export function hasEndedAtStripe({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}
