import type { Affiliate } from '../affiliate/affiliate.ts';
import type { Affiliates } from '../affiliate/affiliates.port.ts';
import type { Promotion } from '../affiliate/promotion.ts';
import {
  comparePromotionPlaces,
  type PromotionFilter,
  type PromotionPart,
  type Promotions,
} from '../affiliate/promotions.port.ts';
import type { Call } from '../call.ts';
import { inOrder, reaches, requireReach, requireUnlimited, visible } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { mergedPage } from './limited-pages.ts';

/** A limited caller knows of the affiliates who have a promotion of one of its products. */
export function limitedAffiliates(all: Affiliates, promotions: Promotions): Affiliates {
  const own = limitedPromotions(promotions);
  const known = async (affiliate: Affiliate | null, call: Call): Promise<Affiliate | null> => {
    if (affiliate === null || call.products === null) return affiliate;
    return (await own.ofAffiliate(affiliate.handle, call)).length > 0 ? affiliate : null;
  };
  return {
    find: async (handle, call) => known(await all.find(handle, call), call),

    findByAddress: async (email, call) => known(await all.findByAddress(email, call), call),

    page: async (after, limit, call) => {
      if (call.products === null) return all.page(after, limit, call);
      const handles = await promotersAfter(own, after, limit, call);
      const found = await Promise.all(handles.map((handle) => all.find(handle, call)));
      return found.filter((affiliate) => affiliate !== null);
    },

    replace: async (seen, next, call) => {
      requireUnlimited(call);
      return all.replace(seen, next, call);
    },
  };
}

/** Promotions that are read at once. */
const sliceSize = 200;

const everything: PromotionFilter = { handle: null, slug: null, productId: null, state: null };

/**
 * The handles of at most `limit` affiliates with a promotion that the caller reaches, after a handle or from the first
 * on.
 */
async function promotersAfter(
  promotions: Promotions,
  start: string | null,
  limit: number,
  call: Call,
): Promise<readonly string[]> {
  const handles = new Set<string>();
  let after = start === null ? null : { handle: start, slug: '' };
  for (;;) {
    const slice: readonly Promotion[] = await promotions.page({ ...everything, after, limit: sliceSize }, call);
    for (const { handle } of slice) if (handle !== start) handles.add(handle);
    after = slice.at(-1) ?? null;
    // The promotions of an affiliate follow one another.
    if (handles.size >= limit || after === null || slice.length < sliceSize) return [...handles].slice(0, limit);
  }
}

export function limitedPromotions(all: Promotions): Promotions {
  return {
    find: async (handle, slug, call) => visible(await all.find(handle, slug, call), call),

    ofAffiliate: async (handle, call) =>
      (await all.ofAffiliate(handle, call)).filter(({ productId }) => reaches(call.products, productId)),

    ofCode: async (productId, code, call) =>
      reaches(call.products, productId) ? all.ofCode(productId, code, call) : null,

    page: (part, call) => {
      if (call.products === null) return all.page(part, call);
      return mergedPage<Promotion>(ownIn(part, call), part.limit, comparePromotionPlaces, (productId, last, limit) =>
        all.page({ ...part, productId, after: last ?? part.after, limit }, call),
      );
    },

    count: async (slug, productId, call) => (reaches(call.products, productId) ? all.count(slug, productId, call) : 0),

    replace: async (seen, next, call) => {
      requireReach(call, next.productId, ...(seen === null ? [] : [seen.productId]));
      const outcome = await all.replace(seen, next, call);
      const isHidden = async (): Promise<boolean> => {
        const stored = await all.find(next.handle, next.slug, call);
        return stored !== null && visible(stored, call) === null;
      };
      // A promotion that was agreed for the earlier product of the listing stays.
      if (outcome.kind === 'stale' && (await isHidden())) throw new Refusal('listing_not_promotable');
      return outcome;
    },
  };
}

/** The products that a filter asks for, as far as the caller reaches them. */
function ownIn({ productId }: PromotionPart, { products }: Call): readonly string[] {
  return inOrder(products ?? []).filter((id) => productId === null || id === productId);
}
