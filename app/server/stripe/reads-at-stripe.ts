import { keptPromise } from '../../../core/kept-promise.ts';
import { withoutKey, type ReadAtStripe } from '../../../core/purchase/stripe-sale.ts';
import type { Settings } from '../../settings/settings.ts';

export type StripeKey = Pick<Settings, 'stripeApiKey' | 'stripeApiBase'>;

/** Reads sales at Stripe for the administration. The library is loaded by the first read: most servers never need it. */
export function readsAtStripe({ stripeApiKey: apiKey, stripeApiBase: apiBase }: StripeKey): ReadAtStripe {
  if (apiKey === null) return withoutKey;
  const reading = keptPromise(() => load(apiKey, apiBase));
  return async (id, call) => (await reading())(id, call);
}

async function load(apiKey: string, apiBase: string): Promise<ReadAtStripe> {
  const { readAtStripe } = await import('../../../adapters/stripe/sale/read-at-stripe.ts');
  const { createStripe } = await import('../../../adapters/stripe/client/create-stripe.ts');
  const client = keptPromise(() => createStripe({ apiKey, apiBase }));
  return readAtStripe({ client, apiKey, monotonicClock: () => performance.now() });
}
