import type { Product } from '../../../core/product/products.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { aCall, noon } from '../builders.ts';
import type { TestService } from '../http/test-service.ts';
import { aMapping } from './states.ts';

/** Adds the product `sketchpad`, which is sold by `price_pro` and `price_once`. */
export async function sellAtStripe(
  { products, priceMap }: Pick<StorePorts, 'products' | 'priceMap'>,
  facts: Partial<Product> = {},
): Promise<void> {
  await products.put({ id: 'sketchpad', name: 'Sketchpad', createdAt: noon, ...facts }, aCall());
  for (const price of ['price_pro', 'price_once']) {
    await priceMap.put(aMapping({ price, productId: 'sketchpad' }), aCall());
  }
}

/** The settings of a server that sells at a shop of Stripe, and takes its events. */
export function sellingAt({ apiKey, url, webhookSecret }: FakeStripe) {
  return { stripeApiKey: apiKey, stripeApiBase: url, stripeWebhookSecret: [webhookSecret] };
}

/** Gives a shop of Stripe the clock of a server, and both prices: by the month, and once. */
export function openShop(shop: FakeStripe, service: TestService): void {
  shop.follow({ now: () => service.now });
  shop.addPrice({ id: 'price_pro' });
  shop.addPrice({ id: 'price_once', interval: null });
}
