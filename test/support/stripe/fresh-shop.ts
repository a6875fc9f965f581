import { freshStore, memory, type OpenedStore } from '../stores/stores.ts';

interface Shop {
  close(): Promise<void>;
}

/** Opens a shop over a store in memory for each test of the calling suite, and closes both afterwards. Returns the store. */
export function freshShop<Opened extends Shop>(
  shops: { readonly open: (store: OpenedStore) => Promise<Opened> },
  opened: (shop: Opened) => void,
): () => OpenedStore {
  const store = freshStore(memory.open);
  let shop: Opened;
  beforeEach(async () => {
    shop = await shops.open(store());
    opened(shop);
  });
  afterEach(() => shop.close());
  return store;
}
