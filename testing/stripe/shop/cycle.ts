import { planOf } from '../objects/price.ts';
import type { Invoice, Item, Price, Subscription } from '../objects/stored.ts';
import { amountOf, bill, declineInvoice, payInvoice } from './billing.ts';
import { end, lastEnd } from './cancellation.ts';
import { known, type Ledger } from './ledger.ts';
import type { MiddleOptions } from './options.ts';
import { periodEnd } from './periods.ts';
import { completeCheckout, itemsOf, withItems } from './subscriptions.ts';

const updated = 'customer.subscription.updated';

/** Brings a subscription to the end of its period: it ends if it was canceled, else the next period is billed. */
export function renew(ledger: Ledger, subscription: Subscription, payment: 'succeeds' | 'fails'): void {
  const start = lastEnd(ledger, subscription);
  const { cancel_at: cancelAt } = subscription;
  if (cancelAt !== null && cancelAt <= start) return end(ledger, subscription, cancelAt);
  const invoice = startPeriod(ledger, subscription, start, { reason: 'subscription_cycle' });
  if (payment === 'succeeds') {
    payInvoice(ledger, invoice);
    return ledger.change(updated, subscription, { status: 'active' });
  }
  declineInvoice(ledger, invoice);
  ledger.change(updated, subscription, { status: 'past_due' });
}

interface Turn {
  readonly reason: 'subscription_cycle' | 'subscription_update';
  readonly items?: readonly Item[];
  readonly anchor?: number;
}

/** Starts a period with an invoice. */
function startPeriod(ledger: Ledger, subscription: Subscription, start: number, turn: Turn): Invoice {
  const { reason, anchor = subscription.billing_cycle_anchor, items = itemsOf(ledger, subscription) } = turn;
  const moved = items.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: periodEnd(anchor, start, item.price),
  }));
  const previousStart = Math.min(...items.map((item) => item.current_period_start));
  const invoice = bill(ledger, { subscription, items: moved, reason, previousStart }, amountOf(moved));
  ledger.change(updated, subscription, {
    billing_cycle_anchor: anchor,
    items: withItems(ledger, subscription, moved),
    latest_invoice: invoice.id,
    ...(subscription.status === 'trialing' ? { status: 'active' } : {}),
  });
  return invoice;
}

/** Writes an invoice in the middle of a period, for what is changed or added in it. */
export function billInTheMiddle(ledger: Ledger, subscription: Subscription, options: MiddleOptions): Invoice {
  const { reason = 'subscription_update', amount = 300, payment = 'succeeds' } = options;
  const [first] = itemsOf(ledger, subscription);
  const items = first === undefined ? [] : [first];
  const previousStart = ledger.now();
  const invoice = bill(ledger, { subscription, items, reason, previousStart, isInTheMiddle: true }, amount);
  const latest = { latest_invoice: invoice.id };
  if (payment === 'succeeds') payInvoice(ledger, invoice);
  else declineInvoice(ledger, invoice);
  const isPastDue = payment === 'fails' && reason !== 'manual';
  ledger.change(updated, subscription, isPastDue ? { ...latest, status: 'past_due' } : latest);
  return invoice;
}

/** Pays the latest invoice, which opens a subscription that was waiting for it. */
export function payLatest(ledger: Ledger, subscription: Subscription): void {
  payInvoice(ledger, known(ledger.invoices, subscription.latest_invoice));
  if (!['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) return;
  const wasIncomplete = subscription.status === 'incomplete';
  ledger.change(updated, subscription, { status: 'active' });
  if (wasIncomplete) completeCheckout(ledger, subscription);
}

/** Ends a trial at once: the first period begins and is paid. */
export function endTrial(ledger: Ledger, subscription: Subscription): void {
  if (subscription.status !== 'trialing') throw new TypeError(`${subscription.id} is not trialing.`);
  const now = ledger.now();
  subscription.trial_end = now;
  payInvoice(ledger, startPeriod(ledger, subscription, now, { reason: 'subscription_update', anchor: now }));
}

/** Changes the price of the first item. Another interval starts a period at once, and bills it. */
export function changePrice(ledger: Ledger, subscription: Subscription, price: Price): void {
  const [first, ...others] = itemsOf(ledger, subscription);
  if (first === undefined) return;
  const items = [{ ...first, price, plan: planOf(price) }, ...others];
  if (sameInterval(first.price, price))
    return ledger.change(updated, subscription, { items: withItems(ledger, subscription, items) });
  const now = ledger.now();
  const turn = { reason: 'subscription_update', items, anchor: now } as const;
  payInvoice(ledger, startPeriod(ledger, subscription, now, turn));
}

function sameInterval(one: Price, other: Price): boolean {
  return (
    one.recurring?.interval === other.recurring?.interval &&
    one.recurring?.interval_count === other.recurring?.interval_count
  );
}

export function changeQuantity(ledger: Ledger, subscription: Subscription, quantity: number): void {
  const items = itemsOf(ledger, subscription).map((item, index) => (index === 0 ? { ...item, quantity } : item));
  ledger.change(updated, subscription, { items: withItems(ledger, subscription, items) });
}

/** Pauses a subscription whose trial ended without a means of payment. */
export function pause(ledger: Ledger, subscription: Subscription): void {
  ledger.change('customer.subscription.paused', subscription, { status: 'paused' });
}

/** Resumes a paused subscription: a period begins now and is paid. */
export function resume(ledger: Ledger, subscription: Subscription): void {
  if (subscription.status !== 'paused') throw new TypeError(`${subscription.id} is not paused.`);
  const now = ledger.now();
  payInvoice(ledger, startPeriod(ledger, subscription, now, { reason: 'subscription_update', anchor: now }));
  ledger.change('customer.subscription.resumed', subscription, { status: 'active' });
}

export function pauseCollection(
  ledger: Ledger,
  subscription: Subscription,
  behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void' | null,
): void {
  const collection = behavior === null ? null : { behavior, resumes_at: null };
  ledger.change(updated, subscription, { pause_collection: collection });
}
