// Renders the objects of the shop as earlier versions of the API have them: what webhook endpoints and accounts that were
// made earlier still get. What Latchkey and its like read is exact; members that were added since may be there.

/** The version of the library's types. */
export const currentVersion = '2026-10-28.endive';

/** A version before periods moved to the items, the first one after, and the library's. */
export const apiVersions = ['2024-06-20', '2025-03-31.basil', currentVersion] as const;
export type ApiVersion = (typeof apiVersions)[number];

type Json = Record<string, unknown>;

export function isApiVersion(version: string): version is ApiVersion {
  return (apiVersions as readonly string[]).includes(version);
}

/** Renders a value, with all objects in it. Never changes the value itself. */
export function inVersion(value: unknown, version: ApiVersion): unknown {
  if (version === currentVersion || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => inVersion(each, version));
  const members = Object.entries(older(value as Json, version));
  return Object.fromEntries(members.map(([name, each]) => [name, inVersion(each, version)]));
}

/** Renders the previous values of an event, whose members are those of the object. */
export function previousInVersion(previous: Json, object: Json, version: ApiVersion): Json {
  const kind = object['object'];
  const { object: _, ...rendered } = inVersion({ ...previous, object: kind }, version) as Json;
  return rendered;
}

function older(object: Json, version: ApiVersion): Json {
  const form = forms[String(object['object'])];
  const { addedSince = [], before2025 } = form ?? {};
  const known = Object.fromEntries(Object.entries(object).filter(([name]) => !addedSince.includes(name)));
  return version === '2024-06-20' && before2025 !== undefined ? before2025(known) : known;
}

interface Form {
  /** Members that came after 2025-03-31. */
  readonly addedSince?: readonly string[];
  /** The form before 2025-03-31, from the form of that day. */
  readonly before2025?: (object: Json) => Json;
}

const forms: Readonly<Record<string, Form>> = {
  subscription: {
    addedSince: ['billing_mode', 'billing_schedules', 'customer_account', 'managed_payments'],
    before2025: subscriptionBefore2025,
  },
  subscription_item: {
    addedSince: ['current_trial'],
    before2025: without('current_period_start', 'current_period_end'),
  },
  invoice: { addedSince: ['customer_account'], before2025: invoiceBefore2025 },
  line_item: { before2025: without('parent', 'pricing', 'taxes') },
  payment_intent: { addedSince: ['customer_account', 'managed_payments', 'payment_record'] },
  'checkout.session': { addedSince: ['customer_account', 'managed_payments', 'integration_identifier'] },
};

function without(...names: readonly string[]): (object: Json) => Json {
  return (object) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The period was the subscription's, and its items had none. */
function subscriptionBefore2025(subscription: Json): Json {
  const items = subscription['items'] as { data: readonly Json[] } | undefined;
  const [first] = items?.data ?? [];
  if (first === undefined) return subscription;
  const { current_period_start: start, current_period_end: end, plan, quantity } = first;
  return { ...subscription, current_period_start: start, current_period_end: end, plan, quantity };
}

/** The invoice named its subscription itself, and had no list of payments. */
function invoiceBefore2025(invoice: Json): Json {
  const details = (invoice['parent'] as { subscription_details?: { subscription?: unknown } } | null)
    ?.subscription_details;
  return {
    ...without('parent', 'payments', 'total_taxes')(invoice),
    subscription: details?.subscription ?? null,
    paid: invoice['status'] === 'paid',
    tax: null,
  };
}
