import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { pages } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';

/** The members of an invoice that say what became of its period. */
type InvoiceFacts = Pick<Stripe.Invoice, 'status' | 'attempted' | 'billing_reason' | 'period_end' | 'due_date'>;

/**
 * Reads since when a payment is missing, in seconds: since the start of the first of the periods that were not paid since the
 * last one that was, or since its invoice was due, if the buyer gets an invoice to pay later. Null without such a period.
 * Each unpaid renewal has an invoice of its own, so the latest one alone does not say it.
 */
export async function readUnpaidSince(stripe: StripeClient, subscription: string, call: Call): Promise<number | null> {
  let first: number | null = null;
  const invoices = pages(
    () => call,
    (page, options) => stripe.invoices.list({ subscription, ...page }, options),
  );
  for await (const invoice of invoices) {
    const outcome = outcomeOf(invoice);
    if (outcome === 'paid') return first;
    // Stripe looks back: an invoice is written at the end of the period before its own.
    if (outcome === 'unpaid') first = Math.max(invoice.period_end, invoice.due_date ?? -Infinity);
  }
  return first;
}

/**
 * Neither paid nor unpaid is what the shop does not collect: drafts, void ones, and those that became uncollectible
 * without an attempt, as while collection is paused. An invoice by hand is for no period.
 */
function outcomeOf({ status, attempted, billing_reason: reason }: InvoiceFacts): 'paid' | 'unpaid' | 'neither' {
  if (reason === 'manual' || status === 'draft' || status === 'void') return 'neither';
  if (status === 'paid') return 'paid';
  return status === 'uncollectible' && !attempted ? 'neither' : 'unpaid';
}
