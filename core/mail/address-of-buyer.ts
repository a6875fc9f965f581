import type { IsSoldByStripe } from '../billing/sold-by-stripe.ts';
import type { Call } from '../call.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { Refusal } from '../refusal.ts';
import type { BuyerAddresses } from './buyer-addresses.port.ts';

interface Parts {
  readonly isSold: IsSoldByStripe;
  /** Null in a process without a key of Stripe. */
  readonly addresses: Pick<BuyerAddresses, 'ofSale'> | null;
}

/**
 * Reads the address of the buyer of a sale as Stripe has it. Refuses with `buyer_address_unknown` and, if Stripe does not
 * answer, with `stripe_unavailable`.
 */
export async function addressOfBuyer({ isSold, addresses }: Parts, sale: Entitlement, call: Call): Promise<string> {
  if (addresses === null || !(await isSold(sale.id, call))) throw new Refusal('buyer_address_unknown');
  const found = await addresses.ofSale(sale, call);
  if (found.kind === 'failed') throw new Refusal('stripe_unavailable', { cause: new Error(found.code) });
  if (found.address === null) throw new Refusal('buyer_address_unknown');
  return found.address;
}
