import { newPaymentIntent } from '../objects/payment.ts';
import { newLineItem, newSession } from '../objects/session.ts';
import type { PaymentIntent, Price, Session } from '../objects/stored.ts';
import { taxOn } from '../objects/tax.ts';
import { decline, succeed } from './billing.ts';
import { addCustomer } from './customers.ts';
import { known, type Ledger } from './ledger.ts';
import type { PurchaseOptions } from './options.ts';
import { typedCode } from './promotions.ts';

/** Has a buyer pay once. Returns the checkout session. */
export function purchase(ledger: Ledger, prices: readonly Price[], options: PurchaseOptions): Session {
  const { quantity = 1, payment = 'card', reference = null, managedPayments = false, metadata = {}, tax = 0 } = options;
  const recurring = prices.find((price) => price.recurring !== null);
  if (recurring !== undefined)
    throw new TypeError(`${recurring.id} has an interval: a purchase needs a price without one.`);
  const amount =
    payment === 'free' ? 0 : prices.reduce((sum, { unit_amount: each }) => sum + (each ?? 0) * quantity, 0);
  const currency = options.currency ?? prices[0]?.currency ?? 'usd';
  const created = ledger.now();
  const { customer, email } = addCustomer(ledger, options);
  const id = ledger.newId('cs_test');
  const promotionCode = typedCode(ledger, options.promotionCode)?.id ?? null;
  const said = { customer, reference, email, managedPayments, metadata, promotionCode };
  const session = newSession({ id, mode: 'payment', amount, tax: taxOn(amount, tax), currency, created, ...said });
  ledger.sessions.set(id, session);
  ledger.lineItems.set(
    id,
    prices.map((price) => newLineItem(ledger.newId('li'), price, quantity, { currency, tax })),
  );
  if (payment === 'never') return session;
  Object.assign(session, { status: 'complete', url: null });
  if (payment === 'free') session.payment_status = 'no_payment_required';
  else {
    const total = amount + taxOn(amount, tax);
    const intent = newPaymentIntent({ id: ledger.newId('pi'), amount: total, currency, created, customer });
    ledger.paymentIntents.set(intent.id, intent);
    session.payment_intent = intent.id;
    ledger.note('payment_intent.created', intent);
    if (payment === 'card') pay(ledger, session, intent);
    else intent.status = 'processing';
  }
  ledger.note('checkout.session.completed', session);
  return session;
}

function pay(ledger: Ledger, session: Session, intent: PaymentIntent): void {
  succeed(ledger, intent);
  session.payment_status = 'paid';
}

/** Has the delayed payment of a session arrive, or fail. */
export function settle(ledger: Ledger, session: Session, payment: 'succeeds' | 'fails'): void {
  const intent = session.payment_intent === null ? undefined : known(ledger.paymentIntents, session.payment_intent);
  if (intent?.status !== 'processing') throw new TypeError(`${session.id} waits for no payment.`);
  if (payment === 'succeeds') {
    pay(ledger, session, intent);
    return ledger.note('checkout.session.async_payment_succeeded', session);
  }
  decline(ledger, intent);
  ledger.note('checkout.session.async_payment_failed', session);
}
