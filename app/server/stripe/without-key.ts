import type { Logger } from 'pino';
import type { PriceMap } from '../../../core/billing/price-map.port.ts';
import type { NewCall } from '../../../core/call.ts';
import type { Settings } from '../../settings/settings.ts';

export const pricesAlone = 'prices of Stripe are mapped, and STRIPE_API_KEY is not set: no sale of Stripe is granted';
export const secretAlone =
  'STRIPE_WEBHOOK_SECRET is set without STRIPE_API_KEY: /hooks/stripe is not served, so that no event of Stripe arrives';

/**
 * Warns that a server lacks the key of Stripe although its store or its settings count on Stripe, so that sales are not ignored
 * in silence. The returned function can be repeated until it has succeeded once; it does nothing from then on.
 */
export function warnWithoutKey(
  log: Pick<Logger, 'warn'>,
  prices: PriceMap,
  { stripeApiKey, stripeWebhookSecret }: Pick<Settings, 'stripeApiKey' | 'stripeWebhookSecret'>,
): (newCall: NewCall) => Promise<void> {
  let isDone = stripeApiKey !== null;
  return async (newCall) => {
    if (isDone) return;
    const mapped = await prices.page(null, 1, newCall());
    isDone = true;
    if (mapped.length > 0) log.warn(pricesAlone);
    if (stripeWebhookSecret !== null) log.warn(secretAlone);
  };
}
