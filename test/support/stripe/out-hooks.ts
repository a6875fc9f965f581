import { freshStore, memory, type OpenedStore } from '../stores/stores.ts';
import { OutShop } from './out-shop.ts';

/** Opens a shop with a subscription for each test, and starts its deliveries with a clock that is so many times faster. Returns its store. */
export function outHooks(speed: number, opened: (out: OutShop, id: string) => void): () => OpenedStore {
  const store = freshStore(memory.open);
  let out: OutShop;

  beforeEach(async () => {
    out = await OutShop.open(store());
    opened(out, await out.at.subscribe());
    await out.start(speed);
  });
  afterEach(() => out.close());
  return store;
}
