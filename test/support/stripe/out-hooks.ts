import type { OpenedStore } from '../stores/stores.ts';
import { freshShop } from './fresh-shop.ts';
import { OutShop } from './out-shop.ts';

/**
 * Opens a shop with a subscription for each test, and starts its deliveries with a clock that is `speed` times faster.
 * Returns its store.
 */
export function outHooks(speed: number, opened: (out: OutShop, id: string) => void): () => OpenedStore {
  let out: OutShop;
  const store = freshShop(OutShop, (shop) => (out = shop));

  beforeEach(async () => {
    opened(out, await out.at.subscribe());
    await out.start(speed);
  });
  return store;
}
