import type { Stripe } from 'stripe';
import type { NextCharge } from '../../../core/billing/stripe-cases.port.ts';

/** Stripe's next step with a subscription by itself: it charges the buyer, ends the subscription, or neither. */
export type NextStep =
  ({ readonly kind: 'charge' } & NextCharge) | { readonly kind: 'end'; readonly at: Date } | { readonly kind: 'none' };

/** The members of a subscription that its next step depends on. */
export type StepFacts = Pick<
  Stripe.Subscription,
  'status' | 'cancel_at' | 'cancel_at_period_end' | 'currency' | 'discounts' | 'default_tax_rates' | 'automatic_tax'
> & {
  readonly pause_collection: object | null;
};

/** The members of an invoice that its next attempt depends on. */
type OpenFacts = Pick<Stripe.Invoice, 'status' | 'amount_remaining' | 'next_payment_attempt'>;

/** The members of an item that the next payment depends on. */
export type PricedItem = Pick<
  Stripe.SubscriptionItem,
  'current_period_end' | 'quantity' | 'discounts' | 'tax_rates'
> & {
  readonly price: Pick<Stripe.Price, 'unit_amount' | 'tax_behavior' | 'tiers_mode' | 'transform_quantity'>;
};

const charged: ReadonlySet<string> = new Set(['trialing', 'active', 'past_due']);

/**
 * Finds the next step. All items of a subscription have one currency, but may have several periods. The invoices are those
 * that may be open.
 */
export function nextStep(
  subscription: StepFacts,
  items: readonly PricedItem[],
  invoices: readonly OpenFacts[],
): NextStep {
  const { status, currency, cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd } = subscription;
  if (!charged.has(status) || items.length === 0) return { kind: 'none' };
  const periodEnd = Math.min(...items.map((item) => item.current_period_end));
  const end = atPeriodEnd ? periodEnd : cancelAt;
  if (subscription.pause_collection !== null)
    return end === null ? { kind: 'none' } : { kind: 'end', at: instant(end) };
  const retry = status === 'past_due' ? retryOf(invoices) : null;
  if (retry !== null) return { kind: 'charge', ...retry, currency };
  if (end !== null && end <= periodEnd) return { kind: 'end', at: instant(end) };
  const due = items.filter((item) => item.current_period_end === periodEnd);
  return { kind: 'charge', at: instant(periodEnd), amount: amountOf(subscription, due), currency };
}

/** The next attempt to collect an invoice that is open. */
function retryOf(invoices: readonly OpenFacts[]): { readonly at: Date; readonly amount: number } | null {
  const attempts = invoices.flatMap(({ status, next_payment_attempt: at, amount_remaining: amount }) =>
    status === 'open' && at !== null ? [{ at: instant(at), amount }] : [],
  );
  return attempts.toSorted((one, other) => one.at.getTime() - other.at.getTime())[0] ?? null;
}

/** The sum of the prices; null where a discount, a tax or a scale of prices makes it another one. */
function amountOf(subscription: StepFacts, items: readonly PricedItem[]): number | null {
  const { discounts, default_tax_rates: taxRates, automatic_tax: tax } = subscription;
  if (discounts.length > 0 || (taxRates ?? []).length > 0) return null;
  const amounts = items.map(({ price, quantity = 1, ...item }) => {
    const isOther =
      item.discounts.length > 0 ||
      (item.tax_rates ?? []).length > 0 ||
      (tax.enabled && price.tax_behavior !== 'inclusive') ||
      price.tiers_mode !== null ||
      price.transform_quantity !== null;
    return isOther || price.unit_amount === null ? null : price.unit_amount * quantity;
  });
  return amounts.reduce<number | null>((sum, each) => (sum === null || each === null ? null : sum + each), 0);
}

function instant(seconds: number): Date {
  return new Date(seconds * 1000);
}
