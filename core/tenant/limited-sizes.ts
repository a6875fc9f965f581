import type { ListSizes } from '../paging/list-sizes.port.ts';
import { inOrder } from '../reach.ts';

/** The sizes of the lists as a caller sees them. */
export function limitedSizes(sizes: ListSizes): ListSizes {
  return {
    count: async (list, max, call) => {
      if (call.products === null) return sizes.count(list, max, call);
      const products = inOrder(call.products);
      switch (list.kind) {
        case 'entitlements': {
          const { kind, productId } = list;
          const counted = productId === null ? products : products.filter((id) => id === productId);
          const counts = await Promise.all(counted.map((id) => sizes.count({ kind, productId: id }, max, call)));
          const total = counts.reduce((sum, count) => sum + count, 0);
          return Math.min(max, total);
        }
        case 'listings':
          return sizes.count({ ...list, products }, max, call);
        case 'waitlist':
          return 0;
      }
    },
  };
}
