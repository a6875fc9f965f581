import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { allOf, pages } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';

/** The members to expand with a subscription, so that its latest invoice needs no request of its own. */
export const withLatestInvoice = ['latest_invoice.payments'];

/** The periods of an item, by the invoices of a subscription. */
export interface Periods {
  /** The invoice that access rests on: the newest that has opened a period and is paid. Null without one. */
  readonly paid: Stripe.Invoice | null;
  /**
   * Since when a payment is missing, in seconds: since the start of the first of the periods that were not paid since, or
   * since its invoice was due, if the buyer gets an invoice to pay later. Null without such a period.
   */
  readonly unpaidSince: number | null;
  /** Whether an invoice in the middle of a period is not paid. */
  readonly isMiddleUnpaid: boolean;
  /** All that were read. */
  readonly invoices: readonly Stripe.Invoice[];
}

/** Those of a subscription that has ended, whose invoices nothing depends on. */
export const noPeriods: Periods = { paid: null, unpaidSince: null, isMiddleUnpaid: false, invoices: [] };

type SubscriptionFacts = Pick<Stripe.Subscription, 'id' | 'latest_invoice'>;
type PeriodFacts = Pick<Stripe.SubscriptionItem, 'id' | 'current_period_start'>;

type Period = Stripe.InvoiceLineItem['period'];

/** An invoice of an update that charges for a whole period. */
interface Update {
  readonly invoice: Stripe.Invoice;
  readonly period: Period;
}

/** An invoice, and when the period began that it has opened, in seconds. Null for one in the middle of a period. */
interface Role {
  readonly invoice: Stripe.Invoice;
  readonly start: number | null;
}

/**
 * Reads the invoices of a subscription down to the one that access rests on. Asks Stripe only if that is not the latest
 * invoice, which `withLatestInvoice` has expanded.
 */
export async function readPeriods(
  stripe: StripeClient,
  subscription: SubscriptionFacts,
  item: PeriodFacts,
  call: Call,
): Promise<Periods> {
  const invoices: Stripe.Invoice[] = [];
  let unpaidSince: number | null = null;
  let isMiddleUnpaid = false;
  for await (const { invoice, start } of rolesOf(stripe, newestFirst(stripe, subscription, call), item, call)) {
    invoices.push(invoice);
    if (start === null) isMiddleUnpaid ||= isOwed(invoice);
    else if (invoice.status === 'paid') return { paid: invoice, unpaidSince, isMiddleUnpaid, invoices };
    else if (isOwed(invoice)) unpaidSince = Math.max(start, invoice.due_date ?? -Infinity);
  }
  return { paid: null, unpaidSince, isMiddleUnpaid, invoices };
}

/** The latest invoice is read with the subscription, the others once they are asked for. */
async function* newestFirst(
  stripe: StripeClient,
  { id: subscription, latest_invoice: latest }: SubscriptionFacts,
  call: Call,
): AsyncIterable<Stripe.Invoice> {
  if (latest === null) return;
  if (typeof latest === 'object') yield latest;
  const all = pages(
    () => call,
    (page, options) => stripe.invoices.list({ subscription, expand: ['data.payments'], ...page }, options),
  );
  for await (const invoice of all) if (typeof latest === 'string' || invoice.id !== latest.id) yield invoice;
}

/**
 * Finds out which invoices have opened periods: those of a new subscription and of a renewal, and those of an update that
 * has begun a period, such as a change of the interval. An update within a period that another invoice has opened is in the
 * middle, so that the renewal before an update decides about it.
 */
async function* rolesOf(
  stripe: StripeClient,
  invoices: AsyncIterable<Stripe.Invoice>,
  item: PeriodFacts,
  call: Call,
): AsyncIterable<Role> {
  const whole = (invoice: Stripe.Invoice): Promise<Period | null> => wholePeriod(stripe, invoice, item, call);
  let updates: readonly Update[] = [];
  for await (const invoice of invoices) {
    if (invoice.billing_reason === 'manual') continue; // for no period
    if (!ofCycles.has(invoice.billing_reason ?? '')) {
      const period = canOpen(invoice) ? await whole(invoice) : null;
      if (period === null) yield { invoice, start: null };
      else updates = [...updates, { invoice, period }];
    } else if (isOfAnotherItem(invoice, item)) {
      yield { invoice, start: null };
    } else {
      if (updates.length > 0) yield* openingOnes(updates, await whole(invoice));
      updates = [];
      // Stripe looks back: an invoice is written at the end of the period before its own.
      yield { invoice, start: invoice.period_end };
    }
  }
  yield* openingOnes(updates, null);
}

const ofCycles: ReadonlySet<string> = new Set(['subscription_create', 'subscription_cycle', 'subscription']);

/** An item with an interval of its own is renewed within the period of this one. */
function isOfAnotherItem(invoice: Stripe.Invoice, { current_period_start: start }: PeriodFacts): boolean {
  return invoice.billing_reason !== 'subscription_create' && invoice.period_end > start;
}

/** One that costs nothing opens no period of its own, because that was paid before it. */
function canOpen({ amount_due: amount, billing_reason: reason }: Stripe.Invoice): boolean {
  return amount > 0 && reason !== 'subscription_threshold';
}

/** Those are in the middle whose period the renewal before them has opened, or an update before them. */
function openingOnes(updates: readonly Update[], before: Period | null): readonly Role[] {
  return updates.map(({ invoice, period }, index) => {
    const others = [before, ...updates.slice(index + 1).map((update) => update.period)];
    const isOpened = others.some((other) => other?.start === period.start && other.end === period.end);
    return { invoice, start: isOpened ? null : period.start };
  });
}

/** The period of the item that an invoice charges for as a whole. */
async function wholePeriod(
  stripe: StripeClient,
  { id, lines: shown }: Stripe.Invoice,
  item: PeriodFacts,
  call: Call,
): Promise<Period | null> {
  const lines = await allOf(call, shown, (page, options) => stripe.invoices.listLineItems(id, page, options));
  const found = lines.find(({ parent, period }) => {
    const details = parent?.subscription_item_details ?? null;
    const isWhole = details !== null && !details.proration && details.subscription_item === item.id;
    return isWhole && period.start <= item.current_period_start;
  });
  return found?.period ?? null;
}

/**
 * Reports whether Stripe asks for an invoice that is not paid. It does not for drafts, void ones, and those that became
 * uncollectible without an attempt, as while collection is paused.
 */
function isOwed({ status, attempted }: Stripe.Invoice): boolean {
  if (status === 'paid' || status === 'draft' || status === 'void') return false;
  return status !== 'uncollectible' || attempted;
}
