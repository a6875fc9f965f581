import type { Call } from '../../../core/call.ts';
import { askStripe, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import type { EventFacts, EventObject } from './verify-event.ts';

type Source = 'subscription' | 'session' | 'invoice' | 'payment';

/** The types of events that change the access of a buyer, and the types of their objects. */
const sources = {
  'customer.subscription.created': 'subscription',
  'customer.subscription.updated': 'subscription',
  'customer.subscription.deleted': 'subscription',
  'customer.subscription.paused': 'subscription',
  'customer.subscription.resumed': 'subscription',
  'checkout.session.completed': 'session',
  'checkout.session.async_payment_succeeded': 'session',
  'invoice.paid': 'invoice',
  'invoice.payment_failed': 'invoice',
  'charge.refunded': 'payment',
  'refund.failed': 'payment',
  'charge.dispute.created': 'payment',
  'charge.dispute.closed': 'payment',
} as const satisfies Readonly<Record<string, Source>>;

/** The types of events that an endpoint must receive. */
export const eventTypes = Object.keys(sources) as readonly (keyof typeof sources)[];

const sourceOf: ReadonlyMap<string, Source> = new Map(Object.entries(sources));

/** Finds what to look at after an event: subscriptions and sessions. Empty for a type that changes nothing here. */
export async function subjectsOf(
  stripe: StripeClient,
  { type, object }: EventFacts,
  call: Call,
): Promise<readonly string[]> {
  switch (sourceOf.get(type)) {
    case undefined:
      return [];
    case 'subscription':
    case 'session':
      return present(idIn(object, 'id'));
    case 'invoice':
      return present(await subscriptionOf(stripe, object, call));
    case 'payment':
      return soldWith(stripe, await intentOf(stripe, type, object, call), call);
  }
}

/** The subscription of an invoice. The member that names it has moved with API 2025-03-31. */
async function subscriptionOf(stripe: StripeClient, invoice: EventObject, call: Call): Promise<string | null> {
  if ('parent' in invoice || 'subscription' in invoice) return subscriptionIn(invoice);
  const id = idIn(invoice, 'id');
  const read = id === null ? null : await findAtStripe(call, (options) => stripe.invoices.retrieve(id, {}, options));
  return read === null ? null : subscriptionIn({ ...read });
}

function subscriptionIn(invoice: EventObject): string | null {
  const details = memberOf(memberOf(invoice, 'parent'), 'subscription_details');
  return referenceIn(memberOf(details, 'subscription')) ?? idIn(invoice, 'subscription');
}

/** The intent of a charge, a refund or a dispute, which a thin event only names. */
async function intentOf(stripe: StripeClient, type: string, object: EventObject, call: Call): Promise<string | null> {
  if ('payment_intent' in object) return idIn(object, 'payment_intent');
  const id = idIn(object, 'id');
  if (id === null) return null;
  const read = await findAtStripe<{ readonly payment_intent: EventObject[string] }>(call, (options) => {
    if (type === 'refund.failed') return stripe.refunds.retrieve(id, {}, options);
    return type === 'charge.refunded'
      ? stripe.charges.retrieve(id, {}, options)
      : stripe.disputes.retrieve(id, {}, options);
  });
  return referenceIn(read?.payment_intent);
}

/** The subscription whose invoice an intent has paid; otherwise the session that it has paid. */
async function soldWith(stripe: StripeClient, intent: string | null, call: Call): Promise<readonly string[]> {
  if (intent === null) return [];
  const payment = { type: 'payment_intent', payment_intent: intent } as const;
  const invoices = await askStripe(call, (options) =>
    stripe.invoicePayments.list({ payment, expand: ['data.invoice'], limit: 100 }, options),
  );
  const subscriptions = invoices.data.flatMap(({ invoice }) =>
    typeof invoice === 'string' ? [] : present(subscriptionIn({ ...invoice })),
  );
  if (subscriptions.length > 0) return [...new Set(subscriptions)];
  const sessions = await askStripe(call, (options) =>
    stripe.checkout.sessions.list({ payment_intent: intent, limit: 100 }, options),
  );
  return sessions.data.map(({ id }) => id);
}

function idIn(object: EventObject, member: string): string | null {
  return referenceIn(object[member]);
}

/** The id in a member, whether the object that it names is expanded or not. */
function referenceIn(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const id = memberOf(value, 'id');
  return typeof id === 'string' ? id : null;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value)).get(name);
}

function present(id: string | null): readonly string[] {
  return id === null ? [] : [id];
}
