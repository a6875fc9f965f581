import type { Call, NewCall } from '../call.ts';
import type { AllListings } from '../catalog/administration/all-listings.port.ts';
import { isLive, type Listing } from '../catalog/listing.ts';
import { untilStored } from '../compare-and-set.ts';
import { cursorAt, positionIn, type ListName } from '../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../paging/page.ts';
import { walk } from '../paging/walk.ts';
import { Refusal } from '../refusal.ts';
import { activeAffiliate } from './affiliate-links.ts';
import type { Affiliates } from './affiliates.port.ts';
import { termsOfListing } from './listing-terms.ts';
import {
  agreed,
  askedAgain,
  askedPromotion,
  endedPromotion,
  maxPromotions,
  withCodes,
  type Promotion,
} from './promotion.ts';
import type { PromotionFilter, PromotionPlace, Promotions } from './promotions.port.ts';
import type { RecountStorefronts } from './recount-storefronts.ts';
import { lastTerms, type Terms } from './sale/terms.ts';

/** A promotion after a change. */
export interface PromotionAnswer {
  readonly promotion: Promotion;
  readonly outcome: 'added' | 'replaced' | 'unchanged';
}

export interface PromotionParts {
  readonly affiliates: Pick<Affiliates, 'find'>;
  readonly allListings: Pick<AllListings, 'find'>;
  readonly promotions: Promotions;
  readonly recount: RecountStorefronts;
}

/** The terms of a promotion as they are put. Null for those in force or, without any, those of the listing. */
export type PutTerms = { readonly [Name in keyof Terms]: Terms[Name] | null } & {
  /** Folded. They are added to those of the promotion. */
  readonly codes: readonly string[];
};

/**
 * Makes a promotion live with terms, whatever its listing's setting. The same again changes nothing. Refuses with
 * `affiliate_not_found`, `affiliate_ended`, `listing_not_found`; `listing_not_promotable` for a listing without a
 * product, or with another product than the promotion; `invalid_body` where neither says how long commission is paid;
 * `too_many_promotions`, `too_many_terms`, `too_many_codes`, and `code_exists` if another promotion of the product has
 * a code.
 */
export type PutPromotion = (place: PromotionPlace, terms: PutTerms, call: Call) => Promise<PromotionAnswer>;

export function putPromotion(parts: PromotionParts): PutPromotion {
  return (place, { codes, ...given }, call) =>
    changePromotion(parts, place, call, async ({ seen, begun, listing }) => {
      const inForce = seen?.state === 'live' ? lastTerms(seen.terms) : null;
      const { commissionFor, ...terms } = { ...(inForce ?? termsOfListing(listing)), ...withoutNulls(given) };
      if (commissionFor === null) {
        const message = 'commissionFor is missing: the listing does not say for how long is paid.';
        throw new Refusal('invalid_body', { message });
      }
      await requireFree(parts, begun, codes, call);
      const next = withCodes(begun, codes);
      if (next === 'too many') throw new Refusal('too_many_codes');
      return live(next, { ...terms, commissionFor }, call);
    });
}

function withoutNulls<Values extends object>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as ReturnType<
    typeof withoutNulls<Values>
  >;
}

async function requireFree(
  { promotions }: PromotionParts,
  { handle, slug, productId }: Promotion,
  codes: readonly string[],
  call: Call,
): Promise<void> {
  for (const code of codes) {
    const owner = await promotions.ofCode(productId, code, call);
    if (owner !== null && (owner.handle !== handle || owner.slug !== slug)) throw new Refusal('code_exists');
  }
}

/**
 * Approves a promotion with the terms of its listing. One that is live stays as it is. Refuses as `PutPromotion` does, and
 * with `promotion_not_found`.
 */
export type ApprovePromotion = (place: PromotionPlace, call: Call) => Promise<PromotionAnswer>;

export function approvePromotion(parts: PromotionParts): ApprovePromotion {
  return (place, call) =>
    changePromotion(parts, place, call, ({ seen, listing }) => {
      if (seen === null) throw new Refusal('promotion_not_found');
      return seen.state === 'live' ? seen : live(seen, offered(listing), call);
    });
}

/**
 * Lets an affiliate promote a listing: one that is `open` at once, one with `ask` once it is approved. Asking again
 * changes nothing. A promotion that was ended by somebody else waits for an approval in both cases. Refuses as
 * `PutPromotion` does, and with `listing_not_promotable` for a listing that is not live or takes no affiliates.
 */
export type AskForPromotion = (place: PromotionPlace, call: Call) => Promise<PromotionAnswer>;

export function askForPromotion(parts: PromotionParts): AskForPromotion {
  return (place, call) =>
    changePromotion(parts, place, call, ({ seen, begun, listing }) => {
      if (seen?.state === 'live') return seen;
      if (!isLive(listing) || listing.affiliates === 'none') throw new Refusal('listing_not_promotable');
      const isEndedByOthers = seen?.state === 'ended' && seen.terms.at(-1)?.by !== `affiliate:${place.handle}`;
      if (listing.affiliates === 'open' && !isEndedByOthers) return live(begun, offered(listing), call);
      return seen?.state === 'ended' ? askedAgain(seen, call) : begun;
    });
}

/**
 * The terms that a listing offers. Refuses with `listing_not_promotable` if they do not say how long commission is
 * paid.
 */
function offered(listing: Listing): Terms {
  const { commissionFor, ...terms } = termsOfListing(listing);
  if (commissionFor === null) throw new Refusal('listing_not_promotable');
  return { ...terms, commissionFor };
}

function live(promotion: Promotion, terms: Terms, call: Call): Promotion {
  const next = agreed(promotion, terms, call.by, call);
  if (next === 'too many') throw new Refusal('too_many_terms');
  return next;
}

/** The input of a change. `begun` is the promotion that was seen, or else a new one. */
interface Seen {
  readonly seen: Promotion | null;
  readonly begun: Promotion;
  readonly listing: Listing;
}

async function changePromotion(
  parts: PromotionParts,
  place: PromotionPlace,
  call: Call,
  decide: (seen: Seen) => Promotion | Promise<Promotion>,
): Promise<PromotionAnswer> {
  const { affiliates, allListings, promotions, recount } = parts;
  const answer = await untilStored<PromotionAnswer>(call, async () => {
    await activeAffiliate(affiliates, place.handle, call);
    const listing = await allListings.find(place.slug, call);
    if (listing === null) throw new Refusal('listing_not_found');
    const seen = await promotions.find(place.handle, place.slug, call);
    const { productId } = listing;
    if (productId === null || (seen !== null && seen.productId !== productId)) {
      throw new Refusal('listing_not_promotable');
    }
    const begun = seen ?? askedPromotion({ ...place, productId }, call);
    const next = await decide({ seen, begun, listing });
    if (next === seen) return { promotion: seen, outcome: 'unchanged' };
    if (seen === null) await requireRoom(parts, place, call);
    // A new promotion is stored as one revision, however many changes have made it.
    const stored = seen === null ? { ...next, revision: 1 } : { ...next, revision: seen.revision + 1 };
    if ((await promotions.replace(seen, stored, call)).kind === 'stale') return 'stale';
    return { promotion: stored, outcome: seen === null ? 'added' : 'replaced' };
  });
  await endWithAffiliate(parts, place, call);
  await recount(place.slug, call);
  return answer;
}

async function requireRoom({ promotions }: PromotionParts, { handle }: PromotionPlace, call: Call): Promise<void> {
  // Promotions that the caller does not see count, too: the storefront shows all.
  const all = await promotions.ofAffiliate(handle, { ...call, products: null });
  if (all.length >= maxPromotions) throw new Refusal('too_many_promotions');
}

/** Ends the promotion again if its affiliate was ended meanwhile, and refuses with `affiliate_ended`. */
async function endWithAffiliate(parts: PromotionParts, place: PromotionPlace, call: Call): Promise<void> {
  const affiliate = await parts.affiliates.find(place.handle, call);
  if (affiliate?.state !== 'ended') return;
  await endPromotion(parts)(place.handle, place.slug, call);
  throw new Refusal('affiliate_ended');
}

/** Ends a promotion, from now on. Repeating it changes nothing. Refuses with `promotion_not_found`. */
export type EndPromotion = (handle: string, slug: string, call: Call) => Promise<PromotionAnswer>;

export function endPromotion({ promotions, recount }: Pick<PromotionParts, 'promotions' | 'recount'>): EndPromotion {
  return async (handle, slug, call) => {
    const answer = await untilStored<PromotionAnswer>(call, async () => {
      const seen = await promotions.find(handle, slug, call);
      if (seen === null) throw new Refusal('promotion_not_found');
      const next = endedPromotion(seen, call.by, call);
      if (next === seen) return { promotion: seen, outcome: 'unchanged' };
      const { kind } = await promotions.replace(seen, next, call);
      return kind === 'stale' ? 'stale' : { promotion: next, outcome: 'replaced' };
    });
    await recount(slug, call);
    return answer;
  };
}

/** Lists promotions by handle and slug in code-point order. Refuses with `invalid_parameter` for a cursor of another list. */
export type ListPromotions = (filter: PromotionFilter, page: PageRequest, call: Call) => Promise<Page<Promotion>>;

export function listPromotions(promotions: Pick<Promotions, 'page'>): ListPromotions {
  return async (filter, page, call) => {
    const list: ListName = ['promotions', filter.handle, filter.slug, filter.productId, filter.state];
    const after = page.after === null ? null : placeIn(list, page.after);
    const found = await promotions.page({ ...filter, after, limit: page.limit + 1 }, call);
    return pageOf(found, page, ({ handle, slug }) => cursorAt(list, [handle, slug]));
  };
}

function placeIn(list: ListName, cursor: string): PromotionPlace {
  const [handle, slug = ''] = positionIn(list, cursor);
  return { handle, slug };
}

/** Walks over the promotions of a filter in the order of `ListPromotions`. */
export type EveryPromotion = (filter: PromotionFilter, newCall: NewCall) => AsyncIterable<Promotion>;

export function everyPromotion(promotions: Pick<Promotions, 'page'>): EveryPromotion {
  return (filter, newCall) => walk((after, limit, call) => promotions.page({ ...filter, after, limit }, call), newCall);
}
