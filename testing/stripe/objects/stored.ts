// The objects of the shop as they travel, in the API version of the library: `tsc` holds them against its types. They
// refer to each other by id. What `expand` asks for is put in when an answer is written.
import type Stripe from 'stripe';

export type Price = Omit<Stripe.Price, 'product' | 'unit_amount_decimal'> & {
  product: string;
  unit_amount_decimal: string | null;
};
export type Plan = Omit<Stripe.Plan, 'amount_decimal'> & { amount_decimal: string | null };
export type Item = Omit<Stripe.SubscriptionItem, 'plan' | 'price'> & { plan: Plan; price: Price };
export type LineItem = Omit<Stripe.LineItem, 'price'> & { price: Price };

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export type Subscription = Omit<
  Stripe.Subscription,
  'cancellation_details' | 'default_tax_rates' | 'discounts' | 'items' | 'latest_invoice' | 'customer' | 'schedule'
> & {
  cancellation_details: Stripe.Subscription.CancellationDetails;
  customer: string;
  default_tax_rates: TaxRate[];
  discounts: string[];
  items: List<Item>;
  latest_invoice: string;
  schedule: string | null;
};
export type InvoiceLine = Stripe.InvoiceLineItem;
export type Invoice = Omit<Stripe.Invoice, 'lines' | 'payments'> & { lines: List<InvoiceLine> };
export type InvoicePayment = Omit<Stripe.InvoicePayment, 'invoice' | 'payment'> & {
  invoice: string;
  payment: { type: 'payment_intent'; payment_intent: string };
};
export type PaymentIntent = Omit<Stripe.PaymentIntent, 'latest_charge'> & { latest_charge: string | null };
export type Charge = Omit<Stripe.Charge, 'payment_intent' | 'refunds'> & { payment_intent: string };
export type Refund = Omit<Stripe.Refund, 'charge'> & { charge: string };
export type Dispute = Omit<Stripe.Dispute, 'charge'> & { charge: string };
export type Session = Omit<Stripe.Checkout.Session, 'line_items' | 'payment_intent' | 'subscription'> & {
  payment_intent: string | null;
  subscription: string | null;
};
export type Customer = Stripe.Customer;
export type Discount = Stripe.Discount;
export type PromotionCode = Stripe.PromotionCode;
export type TaxRate = Stripe.TaxRate;
export type WebhookEndpoint = Stripe.WebhookEndpoint;
export type Account = Stripe.Account;

export function listOf<T>(url: string, data: T[], hasMore = false): List<T> {
  return { object: 'list', data, has_more: hasMore, url };
}
