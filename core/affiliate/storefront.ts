import type { Call, NewCall } from '../call.ts';
import { isLive, type Listing } from '../catalog/listing.ts';
import { compareCodePoints } from '../code-points.ts';
import { walk } from '../paging/walk.ts';
import { handleRule, type Affiliate } from './affiliate.ts';
import type { Affiliates } from './affiliates.port.ts';
import type { Promotion } from './promotion.ts';
import type { Promotions } from './promotions.port.ts';

/** Whether an affiliate may ask to promote a listing. */
export function isPromotable({ affiliates }: Pick<Listing, 'affiliates'>): boolean {
  return affiliates !== 'none';
}

/** Finds a live listing by its slug. */
export type FindLive = (slug: string) => Listing | null;

/** A promotion that is live in the marketplace, and its listing. */
export interface ShownPromotion {
  readonly promotion: Promotion;
  readonly listing: Listing;
}

/** A promotion with its listing if it is live in the marketplace: both are live, and for the same product. */
export function shownPromotion(promotion: Promotion | null, listing: Listing | null): ShownPromotion | null {
  if (promotion?.state !== 'live' || listing === null || !isLive(listing)) return null;
  return listing.productId === promotion.productId ? { promotion, listing } : null;
}

/** The order of promotions: the one that was asked for last is the first. */
export function compareNewest(a: Promotion, b: Promotion): number {
  return b.askedAt.getTime() - a.askedAt.getTime() || compareCodePoints(a.slug, b.slug);
}

/** The public view of an affiliate. It has at least one promotion. */
export interface Storefront {
  readonly affiliate: Affiliate;
  /** The newest first. */
  readonly promotions: readonly ShownPromotion[];
}

/** Reads the storefront of a handle; null for an unknown affiliate, one who has ended, and one without anything to show. */
export type ReadStorefront = (handle: string, findLive: FindLive, call: Call) => Promise<Storefront | null>;

export function readStorefront(
  affiliates: Pick<Affiliates, 'find'>,
  promotions: Pick<Promotions, 'ofAffiliate'>,
): ReadStorefront {
  return async (handle, findLive, call) => {
    if (handleRule.parse(handle) === null) return null;
    const [affiliate, all] = await Promise.all([affiliates.find(handle, call), promotions.ofAffiliate(handle, call)]);
    if (affiliate?.state !== 'active') return null;
    const newest = all.toSorted(compareNewest);
    const shown = newest.map((each) => shownPromotion(each, findLive(each.slug))).filter((each) => each !== null);
    return shown.length === 0 ? null : { affiliate, promotions: shown };
  };
}

/** Lists the handles that have a storefront, in code-point order. */
export type ListStorefronts = (findLive: FindLive, newCall: NewCall) => Promise<readonly string[]>;

export function listStorefronts(
  affiliates: Pick<Affiliates, 'page'>,
  promotions: Pick<Promotions, 'page'>,
): ListStorefronts {
  return async (findLive, newCall) => {
    const everybody = walk<Affiliate>(
      (after, limit, call) => affiliates.page(after?.handle ?? null, limit, call),
      newCall,
    );
    const active = new Set<string>();
    for await (const { handle, state } of everybody) if (state === 'active') active.add(handle);
    const live = { handle: null, slug: null, productId: null, state: 'live' } as const;
    const all = walk<Promotion>((after, limit, call) => promotions.page({ ...live, after, limit }, call), newCall);
    const handles = new Set<string>();
    for await (const promotion of all) {
      if (shownPromotion(promotion, findLive(promotion.slug)) !== null) handles.add(promotion.handle);
    }
    return [...handles].filter((handle) => active.has(handle));
  };
}
