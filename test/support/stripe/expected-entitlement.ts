import type { Stripe } from 'stripe';
import type { FakeStripe } from '../../../testing/index.ts';

/** The state that the table of the design gives for a subscription, read from the shop itself and not from its API. */
export type ExpectedEntitlement =
  /** The period of a subscription that has ended does not matter any more. */
  | { readonly status: 'canceled' }
  | {
      readonly status: string;
      readonly tierId: string;
      readonly currentPeriodEnd: string;
      readonly cancelAtPeriodEnd: boolean;
    };

/** The expected entitlement of a subscription that was granted, once nothing is on its way any more. */
export function expectedOf(shop: FakeStripe, id: string): ExpectedEntitlement {
  const subscription = shop.object(id) as unknown as Stripe.Subscription;
  const [item] = subscription.items.data;
  const { status } = subscription;
  if (status === 'canceled') return { status: 'canceled' };
  return {
    status: isWithoutPayment(shop, subscription) ? 'suspended' : status,
    tierId: item?.price.id.replace('price_', '') ?? '',
    currentPeriodEnd: new Date((item?.current_period_end ?? 0) * 1000).toISOString(),
    cancelAtPeriodEnd: subscription.cancel_at !== null,
  };
}

function isWithoutPayment(shop: FakeStripe, subscription: Stripe.Subscription): boolean {
  const invoice = paidPeriodOf(shop, subscription.id);
  return ['unpaid', 'paused'].includes(subscription.status) || (invoice !== null && isTakenBack(shop, invoice));
}

/** The invoice of the last period that was paid: it has no proration. */
function paidPeriodOf(shop: FakeStripe, subscription: string): string | null {
  const invoices = shop.events.flatMap(({ type, data }) =>
    type === 'invoice.paid' ? [data.object as unknown as Stripe.Invoice] : [],
  );
  const ofPeriods = invoices.filter(({ parent, lines }) => {
    const [line] = lines.data;
    const isWhole = line?.parent?.subscription_item_details?.proration === false;
    return isWhole && parent?.subscription_details?.subscription === subscription;
  });
  return ofPeriods.at(-1)?.id ?? null;
}

/** Whether the payment of an invoice was refunded in full, or is disputed or lost. */
function isTakenBack(shop: FakeStripe, invoice: string): boolean {
  const paid = shop.events.findLast(
    ({ type, data }) => type === 'invoice_payment.paid' && data.object['invoice'] === invoice,
  );
  if (paid === undefined) return false;
  const { payment } = paid.data.object as unknown as Stripe.InvoicePayment;
  const charge = shop.object(payment.payment_intent as string)['latest_charge'] as string;
  const disputes = new Map(
    shop.events
      .filter(({ data }) => data.object['object'] === 'dispute' && data.object['charge'] === charge)
      .map(({ data }) => [data.object['id'], data.object['status']]),
  );
  const isDisputed = [...disputes.values()].some((verdict) => verdict === 'needs_response' || verdict === 'lost');
  return isDisputed || shop.object(charge)['refunded'] === true;
}
