import { affiliateLinkTime, affiliateSubject, handleInSubject, type BuyerLink } from '../buyer/buyer-link.ts';
import type { BuyerLinks } from '../buyer/buyer-links.port.ts';
import type { CreateLink } from '../buyer/manage-links.ts';
import { findOpenLink } from '../buyer/open-link.ts';
import type { LinkForBuyer } from '../buyer/support-link.ts';
import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Digest } from '../secret.ts';
import type { Affiliate } from './affiliate.ts';
import type { Affiliates } from './affiliates.port.ts';

/** Finds an affiliate. Refuses with `affiliate_not_found`. */
export async function knownAffiliate(
  affiliates: Pick<Affiliates, 'find'>,
  handle: string,
  call: Call,
): Promise<Affiliate> {
  const affiliate = await affiliates.find(handle, call);
  if (affiliate === null) throw new Refusal('affiliate_not_found');
  return affiliate;
}

/** Finds an affiliate who may promote. Refuses with `affiliate_not_found` and `affiliate_ended`. */
export async function activeAffiliate(
  affiliates: Pick<Affiliates, 'find'>,
  handle: string,
  call: Call,
): Promise<Affiliate> {
  const affiliate = await knownAffiliate(affiliates, handle, call);
  if (affiliate.state === 'ended') throw new Refusal('affiliate_ended');
  return affiliate;
}

/**
 * Makes a link to an affiliate's own page, which works for `expires` milliseconds; null for the default. Refuses with
 * `affiliate_not_found` and `affiliate_ended`.
 */
export type CreateAffiliateLink = (handle: string, expires: number | null, call: Call) => Promise<LinkForBuyer>;

export function createAffiliateLink(
  create: CreateLink,
  affiliates: Pick<Affiliates, 'find'>,
  publicUrl: () => string,
  isAskedByAnybody = false,
): CreateAffiliateLink {
  return async (handle, expires, call) => {
    await activeAffiliate(affiliates, handle, call);
    const given = { expires: expires ?? affiliateLinkTime, isForLostKeys: isAskedByAnybody };
    const own = { appKeyId: null, returnUrl: null, ...given };
    const { link, token } = await create({ ...own, find: async () => ({ id: affiliateSubject(handle) }) }, call);
    return { url: `${publicUrl()}/affiliates/links/${token}`, expiresAt: link.expiresAt };
  };
}

/** Ends every link of an affiliate, and returns their number. Refuses with `affiliate_not_found`. */
export type EndAffiliateLinks = (handle: string, call: Call) => Promise<number>;

export function endAffiliateLinks(
  buyerLinks: Pick<BuyerLinks, 'removeAll'>,
  affiliates: Pick<Affiliates, 'find'>,
): EndAffiliateLinks {
  return async (handle, call) => {
    await knownAffiliate(affiliates, handle, call);
    return buyerLinks.removeAll(affiliateSubject(handle), call);
  };
}

/** Who has opened a link to the own page. */
export interface OpenedAffiliate {
  readonly affiliate: Affiliate;
  readonly link: BuyerLink;
}

/**
 * Reads whose page a link opens. Refuses with `link_not_found` for an unknown link, one that has ended, that of a buyer, and
 * that of an affiliate who has ended.
 */
export type OpenAffiliateLink = (token: string, call: Call) => Promise<OpenedAffiliate>;

export function openAffiliateLink(
  buyerLinks: Pick<BuyerLinks, 'find'>,
  affiliates: Pick<Affiliates, 'find'>,
  digest: Digest,
): OpenAffiliateLink {
  const findLink = findOpenLink(buyerLinks, digest);
  return async (token, call) => {
    const link = await findLink(token, call);
    const handle = link && handleInSubject(link.subject);
    const affiliate = handle === null ? null : await affiliates.find(handle, call);
    if (link === null || affiliate?.state !== 'active') throw new Refusal('link_not_found');
    return { affiliate, link };
  };
}

/** The call of an affiliate on the own page. It reads the listings and promotions of all products. */
export function affiliatesCall(call: Call, { handle }: Pick<Affiliate, 'handle'>): Call {
  return { ...call, by: `affiliate:${handle}`, products: null };
}
