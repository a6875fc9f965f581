import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { allOf, pages } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { billedByInvoice, chargedBy, type Billed, type Charged } from './charged.ts';
import { readDisputes } from './payment-state.ts';
import { idOf } from './reference.ts';

/**
 * Reads every payment of a subscription, for a sale that an affiliate has brought: by its paid invoices, and by the charges
 * of its customer. Payments outside Stripe are left out.
 */
export async function readSubscriptionCharges(
  stripe: StripeClient,
  { id, customer }: Pick<Stripe.Subscription, 'id' | 'customer'>,
  call: Call,
): Promise<readonly Charged[]> {
  const billed = await readBilled(stripe, id, call);
  const ofCustomer = idOf(customer);
  if (billed.size === 0 || ofCustomer === null) return [];
  const charged: Charged[] = [];
  const charges = pages(
    () => call,
    (page, options) => stripe.charges.list({ customer: ofCustomer, ...page }, options),
  );
  for await (const charge of charges) {
    const key = [charge.id, idOf(charge.payment_intent)].find((each) => each !== null && billed.has(each)) ?? '';
    const invoice = billed.get(key);
    if (invoice === undefined || charge.status !== 'succeeded') continue;
    const disputes = charge.disputed ? await readDisputes(stripe, charge.id, call) : [];
    charged.push(chargedBy(charge, disputes, invoice));
    billed.delete(key);
    if (billed.size === 0) break;
  }
  return charged;
}

/** The amount that each paid invoice has billed, by the intent or the charge that has paid it. */
async function readBilled(stripe: StripeClient, subscription: string, call: Call): Promise<Map<string, Billed>> {
  const billed = new Map<string, Billed>();
  const invoices = pages(
    () => call,
    (page, options) =>
      stripe.invoices.list({ subscription, status: 'paid', expand: ['data.payments'], ...page }, options),
  );
  for await (const invoice of invoices) {
    const payments = await allOf(call, invoice.payments, (page, options) =>
      stripe.invoicePayments.list({ invoice: invoice.id, ...page }, options),
    );
    for (const { status, payment } of payments) {
      const id = idOf(payment.payment_intent ?? payment.charge);
      if (status === 'paid' && id !== null) billed.set(id, billedByInvoice(invoice));
    }
  }
  return billed;
}
