import { newLineItem, newSession } from '../objects/session.ts';
import type { Item, Price, Session, Subscription } from '../objects/stored.ts';
import { newItem, newSubscription } from '../objects/subscription.ts';
import { newTaxRate, taxOn } from '../objects/tax.ts';
import { amountOf, bill, declineInvoice, payInvoice } from './billing.ts';
import { addCustomer } from './customers.ts';
import { known, type Ledger } from './ledger.ts';
import type { Subscribed, SubscribeOptions } from './options.ts';
import { periodEnd } from './periods.ts';
import { discountsOf, typedCode } from './promotions.ts';

const day = 86_400;

/** Has a buyer subscribe. */
export function subscribe(ledger: Ledger, prices: readonly Price[], options: SubscribeOptions): Subscribed {
  const {
    quantity = 1,
    trialDays,
    payment = 'succeeds',
    checkout = true,
    reference = null,
    managedPayments = false,
    metadata = {},
    tax = 0,
  } = options;
  const [first] = prices;
  if (first?.recurring === null || first === undefined)
    throw new TypeError('A subscription needs a price with an interval.');
  const created = ledger.now();
  const id = ledger.newId('sub');
  const { customer, email } = addCustomer(ledger, options);
  const trialEnd = trialDays === undefined ? null : created + trialDays * day;
  const end = trialEnd ?? periodEnd(created, created, first);
  const items = prices.map((price) =>
    newItem({ id: ledger.newId('si'), subscription: id, price, quantity, start: created, end, created }),
  );
  const amount = trialEnd === null ? amountOf(items) : 0;
  const { currency = first.currency } = options;
  const code = typedCode(ledger, options.promotionCode);
  const taxRates = tax === 0 ? [] : [newTaxRate(ledger.newId('txr'), tax, created)];
  const billed = {
    subscription: { id, customer, currency, default_tax_rates: taxRates },
    items,
    reason: 'subscription_create',
    previousStart: created,
  } as const;
  const said = { customer, reference, email, managedPayments, metadata, promotionCode: code?.id ?? null };
  const session = checkout ? openSession(ledger, { items, amount, currency, tax, ...said }) : null;
  const invoice = bill(ledger, billed, amount);
  const discounts = discountsOf(ledger, code, { checkout_session: session?.id ?? null, customer, subscription: id });
  const facts = { id, customer, currency, items, latestInvoice: invoice.id, trialEnd, managedPayments, created };
  const subscription = newSubscription({ ...facts, taxRates, discounts, metadata: session === null ? metadata : {} });
  ledger.subscriptions.set(id, subscription);
  ledger.items.set(id, items);
  ledger.note('customer.subscription.created', subscription);
  if (payment === 'fails') {
    declineInvoice(ledger, invoice);
    return { subscription: id, session: session?.id ?? null };
  }
  if (trialEnd === null) {
    payInvoice(ledger, invoice);
    ledger.change('customer.subscription.updated', subscription, { status: 'active' });
  }
  if (session !== null) completeSession(ledger, session, subscription);
  return { subscription: id, session: session?.id ?? null };
}

interface Cart {
  readonly items: readonly Item[];
  readonly amount: number;
  /** In percent. */
  readonly tax: number;
  readonly currency: string;
  readonly customer: string;
  readonly reference: string | null;
  readonly email: string | null;
  readonly managedPayments: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly promotionCode: string | null;
}

function openSession(ledger: Ledger, { items, tax, ...cart }: Cart): Session {
  const id = ledger.newId('cs_test');
  const { amount, currency } = cart;
  const facts = { ...cart, tax: taxOn(amount, tax), id, mode: 'subscription', created: ledger.now() } as const;
  const session = newSession(facts);
  ledger.sessions.set(id, session);
  ledger.lineItems.set(
    id,
    items.map(({ price, quantity = 1 }) => newLineItem(ledger.newId('li'), price, quantity, { currency, tax })),
  );
  return session;
}

function completeSession(ledger: Ledger, session: Session, subscription: Subscription): void {
  Object.assign(session, {
    status: 'complete',
    payment_status: subscription.status === 'trialing' ? 'no_payment_required' : 'paid',
    subscription: subscription.id,
    invoice: subscription.latest_invoice,
    url: null,
  });
  ledger.note('checkout.session.completed', session);
}

/** Completes the checkout of a buyer whose first payment failed and now succeeds. */
export function completeCheckout(ledger: Ledger, subscription: Subscription): void {
  const session = openSessionOf(ledger, subscription);
  if (session !== undefined) completeSession(ledger, session, subscription);
}

/** The session of a buyer who has not completed it. */
export function openSessionOf(ledger: Ledger, { customer }: Pick<Subscription, 'customer'>): Session | undefined {
  return [...ledger.sessions.values()].find((session) => session.customer === customer && session.status === 'open');
}

/** Ends the time for which an open session can be paid. */
export function expireSession(ledger: Ledger, session: Session | undefined): void {
  if (session?.status !== 'open') return;
  Object.assign(session, { status: 'expired', url: null });
  ledger.note('checkout.session.expired', session);
}

/** Gives a subscription new items, whose first ones are embedded in it. */
export function withItems(ledger: Ledger, subscription: Subscription, items: readonly Item[]): Subscription['items'] {
  ledger.items.set(subscription.id, items);
  return { ...subscription.items, data: items.slice(0, subscription.items.data.length) };
}

export function itemsOf(ledger: Ledger, subscription: Subscription): readonly Item[] {
  return known(ledger.items, subscription.id);
}
