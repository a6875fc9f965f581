import { newInvoice, newInvoicePayment, newLines, type InvoiceFacts } from '../objects/invoice.ts';
import { newCharge, newPaymentIntent } from '../objects/payment.ts';
import type { Charge, Invoice, InvoicePayment, Item, PaymentIntent } from '../objects/stored.ts';
import { known, type Ledger } from './ledger.ts';

type Billed = Pick<InvoiceFacts, 'subscription' | 'items' | 'reason' | 'previousStart' | 'isInTheMiddle'>;

export function amountOf(items: readonly Item[]): number {
  return items.reduce((sum, { price, quantity = 1 }) => sum + (price.unit_amount ?? 0) * quantity, 0);
}

/** Writes an invoice. One of nothing is paid at once and has no payment, as at Stripe. */
export function bill(ledger: Ledger, billed: Billed, amount: number): Invoice {
  const created = ledger.now();
  const newId = (prefix: string): string => ledger.newId(prefix);
  const facts = { ...billed, id: newId('in'), amount, created };
  const lines = newLines(facts, newId);
  const invoice = newInvoice({ ...facts, lines });
  ledger.invoices.set(invoice.id, invoice);
  ledger.invoiceLines.set(invoice.id, lines);
  if (amount > 0) {
    const { currency, customer } = billed.subscription;
    const intent = newPaymentIntent({ id: newId('pi'), amount: invoice.total, currency, created, customer });
    const payment = newInvoicePayment(newId('inpay'), invoice, intent.id);
    ledger.paymentIntents.set(intent.id, intent);
    ledger.invoicePayments.set(payment.id, payment);
    ledger.note('payment_intent.created', intent);
  }
  ledger.note('invoice.created', invoice);
  ledger.note('invoice.finalized', invoice);
  if (amount === 0) markPaid(ledger, invoice);
  return invoice;
}

/** Pays an open invoice. */
export function payInvoice(ledger: Ledger, invoice: Invoice): void {
  const payment = paymentOf(ledger, invoice);
  if (payment === undefined || invoice.status === 'paid') return;
  succeed(ledger, known(ledger.paymentIntents, payment.payment.payment_intent));
  const paidAt = ledger.now();
  Object.assign(payment, { amount_paid: invoice.amount_due, status: 'paid' });
  payment.status_transitions.paid_at = paidAt;
  ledger.note('invoice_payment.paid', payment);
  markPaid(ledger, invoice);
}

function markPaid(ledger: Ledger, invoice: Invoice): void {
  Object.assign(invoice, {
    status: 'paid',
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
  });
  invoice.status_transitions.paid_at = ledger.now();
  ledger.note('invoice.paid', invoice);
  ledger.note('invoice.payment_succeeded', invoice);
}

/** Has the card declined for an open invoice. */
export function declineInvoice(ledger: Ledger, invoice: Invoice): void {
  const payment = paymentOf(ledger, invoice);
  if (payment === undefined) throw new TypeError(`The invoice ${invoice.id} is of nothing: no payment can fail.`);
  decline(ledger, known(ledger.paymentIntents, payment.payment.payment_intent));
  Object.assign(invoice, { attempted: true, attempt_count: invoice.attempt_count + 1 });
  ledger.note('invoice.payment_failed', invoice);
}

export function succeed(ledger: Ledger, intent: PaymentIntent): Charge {
  const charge = chargeOf(ledger, intent, true);
  Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, last_payment_error: null });
  ledger.note('payment_intent.succeeded', intent);
  ledger.note('charge.succeeded', charge);
  return charge;
}

export function decline(ledger: Ledger, intent: PaymentIntent): void {
  const charge = chargeOf(ledger, intent, false);
  intent.status = 'requires_payment_method';
  intent.last_payment_error = { charge: charge.id, code: 'card_declined', type: 'card_error' };
  ledger.note('payment_intent.payment_failed', intent);
  ledger.note('charge.failed', charge);
}

function chargeOf(ledger: Ledger, intent: PaymentIntent, paid: boolean): Charge {
  const charge = newCharge(ledger.newId('ch'), intent, paid, ledger.now());
  ledger.charges.set(charge.id, charge);
  intent.latest_charge = charge.id;
  return charge;
}

export function paymentOf(ledger: Ledger, invoice: Invoice): InvoicePayment | undefined {
  return [...ledger.invoicePayments.values()].find((payment) => payment.invoice === invoice.id);
}
