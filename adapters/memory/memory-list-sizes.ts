import type { ListSizes, SizedList } from '../../core/paging/list-sizes.port.ts';
import type { MemoryStore } from './data/memory-store.ts';
import { firstAfter } from './data/sorted-texts.ts';

export class MemoryListSizes implements ListSizes {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async count(list: SizedList, max: number): Promise<number> {
    return Math.min(max, this.#sizeOf(list, max));
  }

  #sizeOf(list: SizedList, max: number): number {
    const { entitlements, listings, waitlist } = this.#store;
    switch (list.kind) {
      case 'entitlements':
        return list.productId === null
          ? entitlements.byId.size
          : firstAfter(entitlements.idsOfProducts.get(list.productId), null, max, (id) => id).length;
      case 'listings': {
        const { products } = list;
        if (products === null) return listings.size;
        return [...listings.values()].filter(({ listing }) => products.includes(listing.productId ?? '')).length;
      }
      case 'waitlist':
        return waitlist.size;
    }
  }
}
