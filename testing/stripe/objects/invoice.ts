import type { MiddleReason } from './middle-reason.ts';
import { listOf, type Invoice, type InvoiceLine, type InvoicePayment, type Item, type Subscription } from './stored.ts';
import { taxesOn } from './tax.ts';

export interface InvoiceFacts {
  readonly id: string;
  readonly subscription: Pick<Subscription, 'id' | 'customer' | 'currency' | 'default_tax_rates'>;
  readonly items: readonly Item[];
  /** Without tax. */
  readonly amount: number;
  readonly reason: 'subscription_create' | 'subscription_cycle' | MiddleReason;
  /** Whether it is for the rest of a period that has begun before. Default: false. */
  readonly isInTheMiddle?: boolean;
  readonly created: number;
  /** When the period before began, in seconds; the present one for the first invoice. */
  readonly previousStart: number;
  readonly lines: readonly InvoiceLine[];
}

/** Stripe embeds this many lines in an invoice; the others are read from the list of lines. */
const embeddedLines = 10;

/** An invoice of a subscription, open until it is paid. */
export function newInvoice(facts: InvoiceFacts): Invoice {
  const { id, subscription, items, lines, amount, reason, created, isInTheMiddle = false } = facts;
  // Stripe looks back: the period of an invoice ends where that of its lines begins.
  const periodEnd = isInTheMiddle ? created : Math.max(...items.map((item) => item.current_period_start));
  const periodStart = reason === 'subscription_cycle' ? facts.previousStart : periodEnd;
  const taxes = taxesOn(amount, subscription.default_tax_rates);
  const total = taxes.reduce((sum, tax) => sum + tax.amount, amount);
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created,
    currency: subscription.currency,
    custom_fields: null,
    customer: subscription.customer,
    customer_account: null,
    customer_address: null,
    customer_email: null,
    customer_name: null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: created,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf(`/v1/invoices/${id}/lines`, lines.slice(0, embeddedLines), lines.length > embeddedLines),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: {}, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: periodEnd,
    period_start: periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'open',
    status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: amount,
    total_pretax_credit_amounts: [],
    total_taxes: taxes,
    webhooks_delivered_at: created,
  };
}

/** A line for each item, of the whole period or of the rest of it. */
export function newLines(
  { id: invoice, subscription, items, amount, created, isInTheMiddle = false }: Omit<InvoiceFacts, 'lines'>,
  newId: (prefix: string) => string,
): readonly InvoiceLine[] {
  return items.map((item) => newLine(newId('il'), { invoice, subscription, item, amount, created, isInTheMiddle }));
}

interface LineFacts extends Pick<InvoiceFacts, 'subscription' | 'amount' | 'created'> {
  readonly invoice: string;
  readonly item: Item;
  readonly isInTheMiddle: boolean;
}

function newLine(id: string, { invoice, subscription, item, amount, created, isInTheMiddle }: LineFacts): InvoiceLine {
  return {
    id,
    object: 'line_item',
    amount,
    currency: subscription.currency,
    description: null,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: isInTheMiddle,
        proration_details: null,
        subscription: item.subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { end: item.current_period_end, start: isInTheMiddle ? created : item.current_period_start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details',
      unit_amount_decimal: null,
    },
    quantity: item.quantity ?? 1,
    quantity_decimal: null,
    subscription: item.subscription,
    subtotal: amount,
    taxes: taxesOn(amount, subscription.default_tax_rates),
  };
}

export function newInvoicePayment(id: string, invoice: Invoice, paymentIntent: string): InvoicePayment {
  return {
    id,
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: invoice.created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: paymentIntent },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
}
