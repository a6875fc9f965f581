import type { LineItem, Price, Session } from './stored.ts';
import { taxOn } from './tax.ts';

/** Seconds for which an open session can be paid. */
const lifetime = 86_400;

export interface SessionFacts {
  readonly id: string;
  readonly mode: 'payment' | 'subscription';
  /** Without tax. */
  readonly amount: number;
  readonly tax: number;
  readonly currency: string;
  readonly customer: string;
  readonly reference: string | null;
  /** The address that the buyer has given; null for none. */
  readonly email: string | null;
  readonly managedPayments: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  /** The id of the promotion code that the buyer has typed; null for none. */
  readonly promotionCode: string | null;
  readonly created: number;
}

export interface LineFacts {
  readonly currency: string;
  /** In percent. */
  readonly tax: number;
}

/** A session on Stripe's page, open until the buyer completes it. */
export function newSession(facts: SessionFacts): Session {
  const { id, mode, amount, tax, currency, customer, reference, email, managedPayments, created } = facts;
  const { metadata, promotionCode } = facts;
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: amount,
    amount_total: amount + tax,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: null,
    client_reference_id: reference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer,
    customer_account: null,
    customer_creation: 'always',
    customer_details: {
      address: null,
      business_name: null,
      email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: null,
    },
    customer_email: null,
    discounts: promotionCode === null ? [] : [{ coupon: null, promotion_code: promotionCode }],
    expires_at: created + lifetime,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: managedPayments ? { enabled: true } : null,
    metadata: { ...metadata },
    mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: mode === 'subscription' ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: `https://shop.example.com/claim?session_id={CHECKOUT_SESSION_ID}`,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
    ui_mode: 'hosted_page',
    url: `https://checkout.stripe.com/c/pay/${id}`,
    wallet_options: null,
  };
}

/** A line of a session, with a tax in percent on top. */
export function newLineItem(id: string, price: Price, quantity: number, { currency, tax }: LineFacts): LineItem {
  const amount = (price.unit_amount ?? 0) * quantity;
  const amountOfTax = taxOn(amount, tax);
  return {
    id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: amountOfTax,
    amount_total: amount + amountOfTax,
    currency,
    description: null,
    metadata: {},
    price,
    quantity,
  };
}
