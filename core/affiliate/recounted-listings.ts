import type { Call } from '../call.ts';
import type { Listings } from '../catalog/listings.port.ts';
import type { RecountStorefronts } from './recount-storefronts.ts';

/** Listings whose storefronts are counted after each change of a product, and after each addition of one with a product. */
export function recountedListings(listings: Listings, recount: RecountStorefronts): Pick<Listings, 'put' | 'replace'> {
  const recountAll = (slugs: readonly string[], call: Call) => Promise.all(slugs.map((slug) => recount(slug, call)));
  return {
    put: async (drafts, call) => {
      const outcomes = await listings.put(drafts, call);
      // A listing that is put without a product keeps its count, or is new and has none.
      const placed = drafts.filter(({ productId }, index) => productId !== undefined && outcomes[index] === 'stored');
      await recountAll([...new Set(placed.map(({ slug }) => slug))], call);
      return outcomes;
    },

    replace: async (seen, next, call) => {
      const outcome = await listings.replace(seen, next, call);
      const isMoved = (seen?.productId ?? null) !== next.productId;
      if (outcome.kind === 'replaced' && isMoved) await recount(next.slug, call);
      return outcome;
    },
  };
}
