import type { Stripe } from 'stripe';
import { compareAges, netOf } from '../../../core/affiliate/sale/commission.ts';
import type { Payment } from '../../../core/affiliate/sale/sale.ts';

/** A payment by a charge of Stripe, net of tax. */
export interface Charged {
  readonly payment: Payment;
  readonly currency: string;
}

/** An amount that was billed, in minor units. */
export interface Billed {
  readonly withoutTax: number;
  readonly total: number;
}

type ChargeFacts = Pick<Stripe.Charge, 'id' | 'created' | 'currency' | 'amount_captured' | 'amount_refunded'>;
type DisputeFacts = Pick<Stripe.Dispute, 'status' | 'amount'>;

/**
 * Reads a charge, and the part of it that is kept: neither refunded nor withdrawn by a dispute. An open dispute holds
 * its amount as one that was lost does, because Stripe has withdrawn it. Inquiries (`warning_…`) withdraw nothing.
 */
export function chargedBy(charge: ChargeFacts, disputes: readonly DisputeFacts[], billed: Billed): Charged {
  const { id, created, currency, amount_captured: captured, amount_refunded: refunded } = charge;
  const withdrawn = disputes
    .filter(({ status }) => status !== 'won' && !status.startsWith('warning_'))
    .reduce((sum, { amount }) => sum + amount, 0);
  const net = (amount: number): number => netOf(Math.max(0, amount), billed.withoutTax, billed.total);
  const payment = {
    id,
    paidAt: new Date(created * 1000),
    amount: net(captured),
    kept: net(captured - refunded - withdrawn),
  };
  return { payment, currency };
}

/** The currency of the oldest payment. */
export function firstCurrency(charged: readonly Charged[], otherwise: string): string {
  return charged.toSorted((a, b) => compareAges(a.payment, b.payment))[0]?.currency ?? otherwise;
}

/** The amount that a checkout session has billed. */
export function billedBySession(session: Pick<Stripe.Checkout.Session, 'amount_total' | 'total_details'>): Billed {
  const total = session.amount_total ?? 0;
  return { withoutTax: total - (session.total_details?.amount_tax ?? 0), total };
}

/** The amount that an invoice has billed. */
export function billedByInvoice(
  invoice: Pick<Stripe.Invoice, 'total' | 'total_excluding_tax' | 'total_taxes'>,
): Billed {
  const { total, total_excluding_tax: withoutTax, total_taxes: taxes } = invoice;
  return { withoutTax: withoutTax ?? (taxes ?? []).reduce((rest, { amount }) => rest - amount, total), total };
}
