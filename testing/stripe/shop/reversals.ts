import { newDispute } from '../objects/dispute.ts';
import { newRefund } from '../objects/payment.ts';
import type { Charge, Dispute, Refund } from '../objects/stored.ts';
import { paymentOf } from './billing.ts';
import { known, type Ledger } from './ledger.ts';
import type { PaymentOptions, Verdict } from './options.ts';

/** Refunds the charge, or a part of it. */
export function refund(ledger: Ledger, charge: Charge, amount = charge.amount - charge.amount_refunded): Refund {
  if (amount <= 0 || charge.amount_refunded + amount > charge.amount)
    throw new TypeError(`${charge.id} has ${charge.amount - charge.amount_refunded} left to refund.`);
  const made = newRefund(ledger.newId('re'), charge, amount, ledger.now());
  ledger.refunds.set(made.id, made);
  ledger.note('refund.created', made);
  setRefunded(ledger, charge, charge.amount_refunded + amount, 'charge.refunded');
  return made;
}

/** Has the bank return the last refund: the shop has the money again. */
export function failRefund(ledger: Ledger, id: string): void {
  const charges = new Set(chargesOf(ledger, id));
  const made = [...ledger.refunds.values()].findLast((each) => charges.has(each.charge) && each.status === 'succeeded');
  if (made === undefined) throw new TypeError(`${id} has no refund.`);
  const charge = known(ledger.charges, made.charge);
  Object.assign(made, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
  setRefunded(ledger, charge, charge.amount_refunded - made.amount, 'charge.refund.updated');
  ledger.note('refund.updated', made);
  ledger.note('refund.failed', made);
}

function setRefunded(ledger: Ledger, charge: Charge, amount: number, type: string): void {
  ledger.change(type, charge, { amount_refunded: amount, refunded: amount === charge.amount });
}

/** Opens a dispute about a charge, or an inquiry before one. */
export function openDispute(ledger: Ledger, charge: Charge, inquiry: boolean, amount = charge.amount): Dispute {
  if (!Number.isInteger(amount) || amount <= 0 || amount > charge.amount)
    throw new TypeError(`${charge.id} can be disputed for 1 to ${charge.amount}.`);
  const status = inquiry ? 'warning_needs_response' : 'needs_response';
  const dispute = newDispute({ id: ledger.newId('du'), status, amount, created: ledger.now() }, charge);
  ledger.disputes.set(dispute.id, dispute);
  charge.disputed = true;
  ledger.note('charge.dispute.created', dispute);
  if (!inquiry) ledger.note('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Closes the last dispute that is open. */
export function closeDispute(ledger: Ledger, id: string, verdict: Verdict): void {
  const charges = new Set(chargesOf(ledger, id));
  const dispute = [...ledger.disputes.values()].findLast(
    (each) => charges.has(each.charge) && each.status.includes('needs_response'),
  );
  if (dispute === undefined) throw new TypeError(`${id} has no open dispute.`);
  dispute.status = verdict;
  ledger.note('charge.dispute.closed', dispute);
  if (verdict === 'won') ledger.note('charge.dispute.funds_reinstated', dispute);
}

/** The charge of a purchase, of an invoice, or of a subscription's latest invoice or payment of this number. */
export function chargeOf(ledger: Ledger, id: string, { payment }: PaymentOptions = {}): Charge {
  if (payment !== undefined) {
    const numbered = chargesOf(ledger, id)[payment];
    if (numbered === undefined) throw new TypeError(`${id} has no payment ${payment}.`);
    return known(ledger.charges, numbered);
  }
  const intent = id.startsWith('cs_') ? known(ledger.sessions, id).payment_intent : intentOf(ledger, id);
  const charge = intent === null ? null : known(ledger.paymentIntents, intent).latest_charge;
  if (charge === null) throw new TypeError(`${id} has no charge.`);
  return known(ledger.charges, charge);
}

/** The ids of the charges that were paid for a purchase, an invoice or a subscription, in the order in which they came. */
function chargesOf(ledger: Ledger, id: string): readonly string[] {
  const intents = new Set(intentsOf(ledger, id));
  const paid = [...ledger.charges.values()].filter((charge) => charge.paid && intents.has(charge.payment_intent));
  return paid.map((charge) => charge.id);
}

function intentsOf(ledger: Ledger, id: string): readonly (string | null)[] {
  if (id.startsWith('cs_')) return [known(ledger.sessions, id).payment_intent];
  if (id.startsWith('in_')) return [intentOf(ledger, id)];
  const { id: subscription } = known(ledger.subscriptions, id);
  const invoices = [...ledger.invoices.values()].filter(
    ({ parent }) => parent?.subscription_details?.subscription === subscription,
  );
  return invoices.map((invoice) => paymentOf(ledger, invoice)?.payment.payment_intent ?? null);
}

function intentOf(ledger: Ledger, id: string): string | null {
  const invoice = id.startsWith('in_') ? id : known(ledger.subscriptions, id).latest_invoice;
  return paymentOf(ledger, known(ledger.invoices, invoice))?.payment.payment_intent ?? null;
}
