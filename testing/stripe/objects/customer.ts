import type { Customer } from './stored.ts';

/** A buyer, as Stripe keeps one for each sale of a shop that names none. */
export function newCustomer(id: string, email: string | null, created: number): Customer {
  return {
    id,
    object: 'customer',
    balance: 0,
    created,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    email,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    phone: null,
    shipping: null,
  };
}
