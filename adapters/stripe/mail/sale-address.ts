import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { askStripe, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { idOf } from '../reading/reference.ts';

type Session = Pick<Stripe.Checkout.Session, 'customer' | 'customer_details' | 'customer_email'>;

/**
 * Reads the address of the buyer of a sale: that of its checkout session or, without one there, the customer's. Null if
 * Stripe has none, or does not know the sale. Throws the errors of the library, and `StripeTooSlow`.
 */
export async function readSaleAddress(
  stripe: StripeClient,
  { id, reference }: Pick<Entitlement, 'id' | 'reference'>,
  call: Call,
): Promise<string | null> {
  const session = await readSession(stripe, id, reference, call);
  const own = session?.customer_details?.email ?? session?.customer_email ?? null;
  if (own !== null) return own;
  const customer = idOf(session?.customer) ?? (await customerOf(stripe, id, call));
  return customer === null ? null : customerAddress(stripe, customer, call);
}

async function readSession(
  stripe: StripeClient,
  id: string,
  reference: string | null,
  call: Call,
): Promise<Session | null> {
  const known = id.startsWith('cs_') ? id : reference?.startsWith('cs_') === true ? reference : null;
  if (known !== null) {
    return findAtStripe(call, (options) => stripe.checkout.sessions.retrieve(known, {}, options));
  }
  const page = { subscription: id, limit: 1 };
  const found = await askStripe(call, (options) => stripe.checkout.sessions.list(page, options));
  return found.data[0] ?? null;
}

async function customerOf(stripe: StripeClient, id: string, call: Call): Promise<string | null> {
  if (!id.startsWith('sub_')) return null;
  const subscription = await findAtStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options));
  return idOf(subscription?.customer);
}

async function customerAddress(stripe: StripeClient, id: string, call: Call): Promise<string | null> {
  const customer = await findAtStripe(call, (options) => stripe.customers.retrieve(id, {}, options));
  return customer === null || customer.deleted === true ? null : customer.email;
}
