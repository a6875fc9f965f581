import { affiliateSubject } from '../buyer/buyer-link.ts';
import type { BuyerLinks } from '../buyer/buyer-links.port.ts';
import type { LinkForBuyer } from '../buyer/support-link.ts';
import type { Call, NewCall } from '../call.ts';
import { listingNameRule } from '../catalog/administration/written-listing.ts';
import { untilStored } from '../compare-and-set.ts';
import { requireAddress, type AwaitedMailParts } from '../mail/mail-license.ts';
import { cursorAt, textIn } from '../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../paging/page.ts';
import { walk } from '../paging/walk.ts';
import { Refusal } from '../refusal.ts';
import { addressOf } from '../waitlist/sign-up.ts';
import type { Waitlist } from '../waitlist/waitlist.port.ts';
import { knownAffiliate, type CreateAffiliateLink } from './affiliate-links.ts';
import {
  endedAffiliate,
  erasedAffiliate,
  foldedHandle,
  handleRule,
  withFacts,
  type Affiliate,
  type AffiliateFacts,
} from './affiliate.ts';
import type { Affiliates } from './affiliates.port.ts';
import { mailLinkTo } from './mail-affiliate.ts';
import type { EndPromotion } from './manage-promotions.ts';
import type { Promotions } from './promotions.port.ts';

export interface AffiliateInvitation {
  readonly email: string;
  /** Null for that of the waitlist, folded. */
  readonly handle: string | null;
  /** Null for that of the waitlist or, where it has none, the handle. */
  readonly name: string | null;
}

export interface InvitedAffiliate {
  readonly affiliate: Affiliate;
  readonly outcome: 'added' | 'unchanged';
  /** A link to the own page, which is shown only this once. */
  readonly link: LinkForBuyer;
  /** Whether a mail server has taken the mail with it. */
  readonly mailed: boolean;
}

/**
 * Makes somebody an affiliate, and a link to the own page. Names that are left out come from the waitlist. The same
 * address again changes nothing, and gets another link. Refuses with `invalid_email`; with `invalid_body` where no
 * handle is given, and the waitlist has none that fits; with `affiliate_exists` if the address has another handle,
 * `handle_taken` and `affiliate_ended`.
 */
export type AddAffiliate = (invitation: AffiliateInvitation, call: Call) => Promise<InvitedAffiliate>;

export interface AddAffiliateParts {
  readonly affiliates: Affiliates;
  readonly waitlist: Pick<Waitlist, 'find'>;
  readonly createLink: CreateAffiliateLink;
  readonly mail: AwaitedMailParts;
}

export function addAffiliate({ affiliates, waitlist, createLink, mail }: AddAffiliateParts): AddAffiliate {
  return async (invitation, call) => {
    requireAddress(invitation.email, 'email');
    const { affiliate, outcome } = await untilStored(call, async () => {
      const known = await affiliates.findByAddress(invitation.email, call);
      if (known !== null) return { affiliate: asInvited(known, invitation), outcome: 'unchanged' as const };
      const next = { ...(await namesOf(invitation, waitlist, call)), ...newcomer(invitation, call) };
      if ((await affiliates.find(next.handle, call)) !== null) throw new Refusal('handle_taken');
      const { kind } = await affiliates.replace(null, next, call);
      return kind === 'stale' ? 'stale' : { affiliate: next, outcome: 'added' as const };
    });
    const link = await createLink(affiliate.handle, null, call);
    const sent = await mailLinkTo(mail, affiliate, { link, isInvitation: true });
    return { affiliate, outcome, link, mailed: sent?.outcome === 'sent' };
  };
}

function asInvited(known: Affiliate, { handle }: AffiliateInvitation): Affiliate {
  if (handle !== null && handle !== known.handle) throw new Refusal('affiliate_exists');
  return known;
}

function newcomer({ email }: AffiliateInvitation, { now }: Call): Omit<Affiliate, 'handle' | 'name'> {
  return { email, about: null, url: null, payTo: null, state: 'active', createdAt: now, revision: 1 };
}

async function namesOf(
  given: AffiliateInvitation,
  waitlist: Pick<Waitlist, 'find'>,
  call: Call,
): Promise<Pick<Affiliate, 'handle' | 'name'>> {
  const isComplete = given.handle !== null && given.name !== null;
  const entry = isComplete ? null : await waitlist.find(given.email, call);
  const handle = handleRule.parse(given.handle ?? foldedHandle(entry?.handle ?? ''));
  if (handle === null) {
    throw new Refusal('invalid_body', { message: `handle ${handleRule.rule}: the waitlist has none that fits.` });
  }
  // Strangers write the waitlist.
  return { handle, name: given.name ?? listingNameRule.parse(entry?.name ?? '') ?? handle };
}

/** An affiliate after a change, and whether this call has changed anything. */
export interface ChangedAffiliate {
  readonly affiliate: Affiliate;
  readonly changed: boolean;
}

/**
 * Gives an affiliate other facts. Refuses with `affiliate_not_found`, with `invalid_email` and `affiliate_exists` because of
 * the address, and with `affiliate_ended` for one who is erased.
 */
export type SetAffiliate = (handle: string, facts: Partial<AffiliateFacts>, call: Call) => Promise<ChangedAffiliate>;

export function setAffiliate(affiliates: Affiliates): SetAffiliate {
  return async (handle, facts, call) => {
    const { email = null } = facts;
    if (email !== null) requireAddress(email, 'email');
    return change(affiliates, handle, call, async (seen) => {
      if (seen.email === null) throw new Refusal('affiliate_ended');
      const isOwn = email === null || addressOf(email) === addressOf(seen.email);
      const owner = isOwn ? null : await affiliates.findByAddress(email, call);
      if (owner !== null && owner.handle !== handle) throw new Refusal('affiliate_exists');
      const { name, about, url, payTo } = seen;
      return withFacts(seen, { name, email: seen.email, about, url, payTo, ...facts });
    });
  };
}

async function change(
  affiliates: Affiliates,
  handle: string,
  call: Call,
  decide: (seen: Affiliate) => Promise<Affiliate> | Affiliate,
): Promise<ChangedAffiliate> {
  return untilStored(call, async () => {
    const seen = await knownAffiliate(affiliates, handle, call);
    const next = await decide(seen);
    if (next === seen) return { affiliate: seen, changed: false };
    const { kind } = await affiliates.replace(seen, next, call);
    return kind === 'stale' ? 'stale' : { affiliate: next, changed: true };
  });
}

/**
 * Ends an affiliate, then the promotions one by one, then the links. If it is interrupted, a repeat does the rest.
 * Refuses with `affiliate_not_found`.
 */
export type EndAffiliate = (handle: string, call: Call) => Promise<ChangedAffiliate>;

export interface EndAffiliateParts {
  readonly affiliates: Affiliates;
  readonly promotions: Pick<Promotions, 'ofAffiliate'>;
  readonly buyerLinks: Pick<BuyerLinks, 'removeAll'>;
  readonly endPromotion: EndPromotion;
}

export function endAffiliate({ affiliates, promotions, buyerLinks, endPromotion }: EndAffiliateParts): EndAffiliate {
  return async (handle, call) => {
    const { affiliate, changed } = await change(affiliates, handle, call, endedAffiliate);
    const left = (await promotions.ofAffiliate(handle, call)).filter(({ state }) => state !== 'ended');
    for (const { slug } of left) await endPromotion(handle, slug, call);
    const links = await buyerLinks.removeAll(affiliateSubject(handle), call);
    return { affiliate, changed: changed || left.length > 0 || links > 0 };
  };
}

/**
 * Ends an affiliate, and erases all that tells who it is. The handle, the promotions and what was sold stay: they are accounts.
 * Refuses with `affiliate_not_found`.
 */
export type EraseAffiliate = EndAffiliate;

export function eraseAffiliate(affiliates: Affiliates, end: EndAffiliate): EraseAffiliate {
  return async (handle, call) => {
    const ended = await end(handle, call);
    const { affiliate, changed } = await change(affiliates, handle, call, erasedAffiliate);
    return { affiliate, changed: changed || ended.changed };
  };
}

/** Reads an affiliate. Refuses with `affiliate_not_found`. */
export type ShowAffiliate = (handle: string, call: Call) => Promise<Affiliate>;

export function showAffiliate(affiliates: Pick<Affiliates, 'find'>): ShowAffiliate {
  return (handle, call) => knownAffiliate(affiliates, handle, call);
}

const list = ['affiliates'] as const;

/** Lists affiliates by handle in code-point order. Refuses with `invalid_parameter` for a cursor of another list. */
export type ListAffiliates = (page: PageRequest, call: Call) => Promise<Page<Affiliate>>;

export function listAffiliates(affiliates: Pick<Affiliates, 'page'>): ListAffiliates {
  return async (page, call) => {
    const found = await affiliates.page(textIn(list, page.after), page.limit + 1, call);
    return pageOf(found, page, ({ handle }) => cursorAt(list, [handle]));
  };
}

/** Walks over every affiliate in the order of `ListAffiliates`. */
export type EveryAffiliate = (newCall: NewCall) => AsyncIterable<Affiliate>;

export function everyAffiliate(affiliates: Pick<Affiliates, 'page'>): EveryAffiliate {
  return (newCall) => walk((last, limit, call) => affiliates.page(last?.handle ?? null, limit, call), newCall);
}
