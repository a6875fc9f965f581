import type { Call } from '../call.ts';
import type { Listing } from '../catalog/listing.ts';
import { handleRule } from './affiliate.ts';
import type { Promotion } from './promotion.ts';
import type { Promotions } from './promotions.port.ts';
import { shownPromotion } from './storefront.ts';

/** The maximum length of a reference at Stripe, which drops a longer one, and one with other characters. */
const maxReference = 200;

const slugInReference = /^[A-Za-z0-9-]+$/;

/** The name of a promotion in links: `HANDLE_SLUG`, or the handle alone where the slug does not fit into a reference. */
export function nameInLink({ handle, slug }: Pick<Promotion, 'handle' | 'slug'>): string {
  const name = `${handle}_${slug}`;
  return slugInReference.test(slug) && referenceOf(name).length <= maxReference ? name : handle;
}

function referenceOf(name: string): string {
  return `via_${name}`;
}

/** A promotion code as buyers type it: it is stored in lower case, and shown in upper case. */
export function shownCode(code: string): string {
  return code.toUpperCase();
}

/**
 * Makes the address where a sale of a promotion begins. A Payment Link takes `client_reference_id` and
 * `prefilled_promo_code`, and the site of a seller takes `via`. All else in the address stays as it is.
 */
export function saleAddress(saleUrl: string, promotion: Pick<Promotion, 'handle' | 'slug' | 'codes'>): string {
  const name = nameInLink(promotion);
  const code = promotion.codes.at(-1);
  const own = { client_reference_id: referenceOf(name), via: name };
  const given = new Map(Object.entries(code === undefined ? own : { ...own, prefilled_promo_code: shownCode(code) }));
  const [, address = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(saleUrl) ?? [];
  const kept = query.split('&').filter((part) => part !== '' && !given.has(nameOf(part)));
  return `${address}?${[...kept, ...[...given].map((pair) => pair.join('='))].join('&')}${fragment}`;
}

/** The name of a parameter as it is written in a query. */
function nameOf(part: string): string {
  // The question mark, because one that begins the text would not count as part of the name.
  return [...new URLSearchParams(`?${part}`).keys()][0] ?? '';
}

/**
 * Finds where a link of an affiliate leads to. Null for a listing that is not sold. A promotion that is not live leads to the
 * same sale, without a name, so that an old link sells on.
 */
export type FollowSaleLink = (handle: string, listing: Listing | null, call: Call) => Promise<string | null>;

export function followSaleLink(promotions: Pick<Promotions, 'find'>): FollowSaleLink {
  return async (handle, listing, call) => {
    const saleUrl = listing?.saleUrl ?? null;
    if (listing === null || saleUrl === null) return null;
    const isHandle = handleRule.parse(handle) !== null;
    const promotion = isHandle ? await promotions.find(handle, listing.slug, call) : null;
    const shown = shownPromotion(promotion, listing);
    return shown === null ? saleUrl : saleAddress(saleUrl, shown.promotion);
  };
}
