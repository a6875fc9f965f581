import { keptPromise } from '../../../core/kept-promise.ts';
import type { BuyerAddresses } from '../../../core/mail/buyer-addresses.port.ts';
import type { StripeKey } from './reads-at-stripe.ts';

/**
 * Reads the addresses of buyers for the administration; null without a key. The library is loaded by the first read: most
 * servers never need it.
 */
export function buyerAddresses({ stripeApiKey: apiKey, stripeApiBase: apiBase }: StripeKey): BuyerAddresses | null {
  if (apiKey === null) return null;
  const load = keptPromise(async () => {
    const { createStripe } = await import('../../../adapters/stripe/client/create-stripe.ts');
    const { stripeAddresses } = await import('../../../adapters/stripe/mail/stripe-addresses.ts');
    return stripeAddresses(await createStripe({ apiKey, apiBase }));
  });
  return {
    ofSale: async (sale, call) => (await load()).ofSale(sale, call),
    salesTo: async (typed, call) => (await load()).salesTo(typed, call),
  };
}
