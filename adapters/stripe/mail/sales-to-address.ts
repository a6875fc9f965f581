import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import type { SaleOfAddress } from '../../../core/mail/buyer-addresses.port.ts';
import { askStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { failureOf } from '../outgoing/failure.ts';
import { idOf } from '../reading/reference.ts';
import { addressOf } from './sale-address.ts';

/** Customers of one address whose sales are read: a shop may make one for each sale. */
const maxCustomers = 20;

/** Stripe's lists have the newest first. More than one page of an address is more than a mail names. */
const limit = 100;

/**
 * Finds the sales to an address, as Stripe spells it: the current one of the customer, for a sale that has one. Lists
 * compare addresses exactly, so both the typed spelling and lower case are asked for; the search ignores case. A sale
 * can come twice, and those of sessions come first, also for a key that may read no customers: these have the address
 * of their checkout, and the refusal follows. Throws the errors of the library, and `StripeTooSlow`.
 */
export async function* findSalesTo(stripe: StripeClient, typed: string, call: Call): AsyncIterable<SaleOfAddress> {
  const spellings = new Set([typed, typed.toLowerCase()]);
  const refusals: Error[] = [];
  for (const email of spellings) {
    const filter = { customer_details: { email }, status: 'complete', limit } as const;
    const list = (expand: string[]) =>
      askStripe(call, (options) => stripe.checkout.sessions.list({ ...filter, expand }, options));
    const sessions = await list(['data.customer']).catch((error: Error) => {
      if (failureOf(error)?.status !== 403) throw error;
      refusals.push(error);
      return list([]);
    });
    for (const session of sessions.data) {
      const address = addressOf(session);
      if (address !== null && isSame(address, typed)) yield* saleOf(session, address);
    }
  }
  const [refusal] = refusals;
  if (refusal !== undefined) throw refusal;
  const customers = new Map<string, string>();
  for (const email of spellings) {
    const listed = await askStripe(call, (options) => stripe.customers.list({ email, limit }, options));
    noteCustomers(customers, listed.data, typed);
  }
  noteCustomers(customers, await search(stripe, typed, call), typed);
  for (const [customer, address] of [...customers].slice(0, maxCustomers)) {
    yield* await salesOf(stripe, customer, address, call);
  }
}

/** Some accounts cannot search. Then the lists are all there is. */
async function search(stripe: StripeClient, typed: string, call: Call): Promise<readonly Stripe.Customer[]> {
  const query = `email:"${typed.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  try {
    return (await askStripe(call, (options) => stripe.customers.search({ query, limit }, options))).data;
  } catch (error) {
    if (failureOf(error)?.kind === 'refused') return [];
    throw error;
  }
}

function noteCustomers(known: Map<string, string>, found: readonly Stripe.Customer[], typed: string): void {
  for (const { id, email } of found) if (email !== null && isSame(email, typed)) known.set(id, email);
}

async function salesOf(
  stripe: StripeClient,
  customer: string,
  address: string,
  call: Call,
): Promise<readonly SaleOfAddress[]> {
  const all = { customer, status: 'all', limit } as const;
  const subscriptions = await askStripe(call, (options) => stripe.subscriptions.list(all, options));
  const complete = { customer, status: 'complete', limit } as const;
  const sessions = await askStripe(call, (options) => stripe.checkout.sessions.list(complete, options));
  return [
    ...subscriptions.data.map(({ id }) => ({ entitlementId: id, address, customer })),
    ...sessions.data.flatMap((session) => saleOf(session, address)),
  ];
}

/** The sale of a session: its subscription, or itself. */
function saleOf(
  session: Pick<Stripe.Checkout.Session, 'customer' | 'id' | 'mode' | 'subscription'>,
  address: string,
): readonly SaleOfAddress[] {
  const entitlementId = session.mode === 'payment' ? session.id : idOf(session.subscription);
  return entitlementId === null ? [] : [{ entitlementId, address, customer: idOf(session.customer) }];
}

/**
 * A search may find what only looks alike. In an address at Stripe only `A` to `Z` have another case, so that `\u212A`, which
 * lower case makes a `k`, stays a mailbox of its own: all sales that are found go in one mail.
 */
function isSame(address: string, typed: string): boolean {
  return address.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) === typed.toLowerCase();
}
