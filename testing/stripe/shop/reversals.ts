import { newDispute } from '../objects/dispute.ts';
import { newRefund } from '../objects/payment.ts';
import type { Charge, Dispute, Refund } from '../objects/stored.ts';
import { paymentOf } from './billing.ts';
import { known, type Ledger } from './ledger.ts';
import type { Verdict } from './options.ts';

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

/** Has the bank return a refund: the shop has the money again. */
export function failRefund(ledger: Ledger, charge: Charge): void {
  const made = [...ledger.refunds.values()].findLast(
    (each) => each.charge === charge.id && each.status === 'succeeded',
  );
  if (made === undefined) throw new TypeError(`${charge.id} has no refund.`);
  Object.assign(made, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
  setRefunded(ledger, charge, charge.amount_refunded - made.amount, 'charge.refund.updated');
  ledger.note('refund.updated', made);
  ledger.note('refund.failed', made);
}

function setRefunded(ledger: Ledger, charge: Charge, amount: number, type: string): void {
  ledger.change(type, charge, { amount_refunded: amount, refunded: amount === charge.amount });
}

/** Opens a dispute about a charge, or an inquiry before one. */
export function openDispute(ledger: Ledger, charge: Charge, inquiry: boolean): Dispute {
  const status = inquiry ? 'warning_needs_response' : 'needs_response';
  const dispute = newDispute(ledger.newId('du'), charge, status, ledger.now());
  ledger.disputes.set(dispute.id, dispute);
  charge.disputed = true;
  ledger.note('charge.dispute.created', dispute);
  if (!inquiry) ledger.note('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Closes the open dispute of a charge. */
export function closeDispute(ledger: Ledger, charge: Charge, verdict: Verdict): void {
  const dispute = [...ledger.disputes.values()].findLast(
    (each) => each.charge === charge.id && each.status.includes('needs_response'),
  );
  if (dispute === undefined) throw new TypeError(`${charge.id} has no open dispute.`);
  dispute.status = verdict;
  ledger.note('charge.dispute.closed', dispute);
  if (verdict === 'won') ledger.note('charge.dispute.funds_reinstated', dispute);
}

/** The charge of a purchase, of an invoice, or of a subscription's latest invoice. */
export function chargeOf(ledger: Ledger, id: string): Charge {
  const intent = id.startsWith('cs_') ? known(ledger.sessions, id).payment_intent : intentOf(ledger, id);
  const charge = intent === null ? null : known(ledger.paymentIntents, intent).latest_charge;
  if (charge === null) throw new TypeError(`${id} has no charge.`);
  return known(ledger.charges, charge);
}

function intentOf(ledger: Ledger, id: string): string | null {
  const invoice = id.startsWith('in_') ? id : known(ledger.subscriptions, id).latest_invoice;
  return paymentOf(ledger, known(ledger.invoices, invoice))?.payment.payment_intent ?? null;
}
