import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { askStripe, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';

type Customer = Stripe.Checkout.Session['customer'];
type Session = Pick<Stripe.Checkout.Session, 'customer' | 'customer_details' | 'customer_email'>;

/**
 * Reads the address of the buyer of a sale: the current one of the customer or, without one there, that of its checkout
 * session. Null if Stripe has none, or does not know the sale. Throws the errors of the library, and `StripeTooSlow`.
 */
export async function readSaleAddress(
  stripe: StripeClient,
  { id, reference }: Pick<Entitlement, 'id' | 'reference'>,
  call: Call,
): Promise<string | null> {
  const session = await readSession(stripe, id, reference, call);
  const own = session === null ? null : addressOf(session);
  if (session !== null && session.customer !== null) return own;
  return customerAddress(await customerOf(stripe, id, call)) ?? own;
}

/** The address of the buyer of a session, whose customer is expanded. One that the customer has replaced is nobody's. */
export function addressOf({ customer, customer_details: details, customer_email: given }: Session): string | null {
  return customerAddress(customer) ?? details?.email ?? given;
}

async function readSession(
  stripe: StripeClient,
  id: string,
  reference: string | null,
  call: Call,
): Promise<Session | null> {
  const known = id.startsWith('cs_') ? id : reference?.startsWith('cs_') === true ? reference : null;
  if (known !== null) {
    const expand = ['customer'];
    return findAtStripe(call, (options) => stripe.checkout.sessions.retrieve(known, { expand }, options));
  }
  const page = { subscription: id, limit: 1, expand: ['data.customer'] };
  const found = await askStripe(call, (options) => stripe.checkout.sessions.list(page, options));
  return found.data[0] ?? null;
}

async function customerOf(stripe: StripeClient, id: string, call: Call): Promise<Customer> {
  if (!id.startsWith('sub_')) return null;
  const expand = ['customer'];
  const subscription = await findAtStripe(call, (options) => stripe.subscriptions.retrieve(id, { expand }, options));
  return subscription?.customer ?? null;
}

function customerAddress(customer: Customer): string | null {
  if (customer === null || typeof customer === 'string' || customer.deleted === true) return null;
  return customer.email;
}
