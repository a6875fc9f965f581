import { newCustomer } from '../objects/customer.ts';
import { known, type Ledger } from './ledger.ts';
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

/** Gives the customer of a sale another address, as the customer portal does. Its session keeps the one that it has. */
export function changeEmail(ledger: Ledger, sale: string, email: string | null): void {
  const { customer } = sale.startsWith('cs_') ? known(ledger.sessions, sale) : known(ledger.subscriptions, sale);
  if (typeof customer === 'string') ledger.change('customer.updated', known(ledger.customers, customer), { email });
}
