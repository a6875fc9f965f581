import type { Sale } from '../affiliate/sale/sale.ts';
import { compareLinePlaces, compareSalePlaces, type Sales, type SalesFilter } from '../affiliate/sale/sales.port.ts';
import type { Call } from '../call.ts';
import { inOrder, reaches, requireReach, requireUnlimited, visible } from '../reach.ts';
import { mergedPage } from './limited-pages.ts';

export function limitedSales(all: Sales): Sales {
  return {
    find: async (entitlementId, call) => visible(await all.find(entitlementId, call), call),

    named: async (names, call) =>
      (await all.named(names, call)).filter(({ productId }) => reaches(call.products, productId)),

    page: (part, call) => {
      if (call.products === null) return all.page(part, call);
      return mergedPage<Sale>(ownIn(part, call), part.limit, compareSalePlaces, (productId, last, limit) =>
        all.page({ ...part, productId, after: last ?? part.after, limit }, call),
      );
    },

    replace: async (seen, next, event, call) => {
      requireReach(call, next.productId, ...(seen === null ? [] : [seen.productId]));
      return all.replace(seen, next, event, call);
    },

    // The service looks at the sales of all products.
    toLookAt: async (until, limit, call) => {
      requireUnlimited(call);
      return all.toLookAt(until, limit, call);
    },

    withLines: (filter, until, after, limit, call) => {
      if (call.products === null) return all.withLines(filter, until, after, limit, call);
      return mergedPage<Sale>(ownIn(filter, call), limit, compareLinePlaces, (productId, last, size) =>
        all.withLines({ ...filter, productId }, until, last ?? after, size, call),
      );
    },
  };
}

/** The products that a filter asks for, as far as the caller reaches them. */
function ownIn({ productId }: SalesFilter, { products }: Call): readonly string[] {
  return inOrder(products ?? []).filter((id) => productId === null || id === productId);
}
