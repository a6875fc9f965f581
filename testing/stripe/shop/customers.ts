import { newCustomer } from '../objects/customer.ts';
import type { Ledger } from './ledger.ts';
import type { PurchaseOptions } from './options.ts';

/** Adds the customer of a sale. Returns the id, and the address that the buyer gives. */
export function addCustomer(
  ledger: Ledger,
  { email = 'buyer@example.com', customerEmail = email }: Pick<PurchaseOptions, 'email' | 'customerEmail'>,
): { readonly customer: string; readonly email: string | null } {
  const customer = ledger.newId('cus');
  ledger.customers.set(customer, newCustomer(customer, customerEmail, ledger.now()));
  return { customer, email };
}
