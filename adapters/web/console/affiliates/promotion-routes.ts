import type { Administration } from '../../../../core/administration/administration.ts';
import type { Affiliate } from '../../../../core/affiliate/affiliate.ts';
import { hundredthsOf } from '../../../../core/affiliate/listing-terms.ts';
import type { PutTerms } from '../../../../core/affiliate/manage-promotions.ts';
import type { Promotion } from '../../../../core/affiliate/promotion.ts';
import { lastTerms, type Terms } from '../../../../core/affiliate/sale/terms.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { promotionTerms } from '../../../administration/commands/promotion-commands.ts';
import { offeredTerms } from '../../affiliates/terms-texts.ts';
import { html } from '../../markup/html.ts';
import { facts, mono } from '../display/parts.ts';
import { may, must, type FormValues } from '../form/form-members.ts';
import type { Seen } from '../form/seen.ts';
import { goTo, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { decisionRoutes, type DecidedOn, type Decision } from '../frame/decision-routes.ts';
import { formRoutes, type RefusedMembers } from '../frame/form-routes.ts';
import { affiliatePath, promotionPath } from '../state/affiliate-paths.ts';
import { crumbsTo, termsFacts } from './affiliate-page.ts';

const access = 'admin:affiliates';

const termsMembers = {
  commissionPercent: may(promotionTerms.commissionPercent, { hint: 'At most two decimals.' }),
  commissionFor: may(promotionTerms.commissionFor, { hint: 'first_payment, lifetime or a number of months.' }),
  holdDays: may(promotionTerms.holdDays, { hint: 'After a payment: until then no commission is due.' }),
  codes: may(promotionTerms.codes, {
    label: 'More promotion codes',
    hint: 'As buyers type them at Stripe, with spaces between them. A code belongs to its promotion for good.',
  }),
};

const addMembers = {
  slug: must({
    rule: identifierRule,
    label: 'Listing',
    hint: 'Its slug. What is left empty is as the listing offers it.',
  }),
  ...termsMembers,
};

const refusals: RefusedMembers = {
  code_exists: { member: 'codes', problem: 'are of another promotion of the product' },
  too_many_codes: { member: 'codes', problem: 'are more than 20 with those that it has' },
  too_many_terms: { member: 'commissionPercent', problem: 'cannot be changed any more: there are too many versions' },
  invalid_body: { member: 'commissionFor', problem: 'is needed: the listing does not say it' },
};

const refusedListing: RefusedMembers = {
  listing_not_found: { member: 'slug', problem: 'must be that of a listing' },
  listing_not_promotable: { member: 'slug', problem: 'must be that of a listing with the product that is promoted' },
  too_many_promotions: { member: 'slug', problem: 'is one too many: the affiliate has 200 promotions' },
};

/** A promotion, whose listing may be gone. */
interface AskedPromotion {
  readonly affiliate: Affiliate;
  readonly promotion: Promotion;
  readonly listing: Listing | null;
}

/** The pages that agree with affiliates: *Approve*, *Refuse*, *End*, *Change* and *Add a promotion*. */
export function promotionRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { approvePromotion, endPromotion } = administration;
  const end = (name: string, verb: string): Decision<AskedPromotion> => ({
    name,
    done: 'refuse',
    verb,
    heading: verb === 'End' ? 'It earns nothing from now on.' : 'Nothing was agreed, and nothing is.',
    effects: ({ promotion: { state, codes } }) => [
      ...(state === 'asked'
        ? []
        : [html`Sales of before keep their terms. The link still leads to the sale, without the name.`]),
      ...(codes.length === 0 ? [] : [html`Deactivate its codes at Stripe, if they are not to work any more.`]),
      html`The affiliate can ask again, and waits for an approval then.`,
    ],
    isDone: ({ promotion }) => promotion.state === 'ended',
    run: ({ promotion: { handle, slug } }, call) => endPromotion(handle, slug, call),
  });
  return [
    ...addRoutes(administration),
    ...changeRoutes(administration),
    ...decisionRoutes(onPromotion(administration), [
      {
        name: 'approve',
        verb: 'Approve',
        heading: 'It is live with the terms of the listing.',
        effects: () => [
          html`These terms count for checkouts from now on, whatever becomes of the listing.`,
          html`Are others agreed? Change the terms instead, which makes it live, too.`,
        ],
        isDone: ({ promotion }) => promotion.state === 'live',
        run: ({ promotion: { handle, slug } }, call) => approvePromotion({ handle, slug }, call),
      },
      end('refuse', 'Refuse'),
      end('end', 'End'),
    ]),
  ];
}

function addRoutes({ putPromotion, showAffiliate }: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'AddPromotion',
    path: promotionPath(':handle', null),
    access,
    find: ({ call, parameters: { handle = '' } }) => showAffiliate(handle, call),
    asks: (affiliate) => ({
      path: crumbsTo(affiliate),
      here: 'Add a promotion',
      title: 'Add a promotion',
      text: 'It is live at once, whatever the listing says about affiliates.',
      button: 'Add promotion',
    }),
    back: ({ handle }) => ({ href: affiliatePath(handle), text: 'Back to the affiliate' }),
    members: addMembers,
    refusals: { ...refusals, ...refusedListing },
    act: async ({ slug, ...terms }, { handle }, { call }) => {
      await putPromotion({ handle, slug }, putTerms(terms), call);
      return goTo(affiliatePath(handle), 'terms');
    },
  });
}

function changeRoutes(administration: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'PutPromotion',
    path: pathOf('change'),
    access,
    find: (request) => askedPromotion(administration, request),
    asks: ({ affiliate, promotion, listing }) => ({
      path: crumbsTo(affiliate),
      here: 'Terms',
      title: `Change the terms of @${promotion.handle}?`,
      text: 'Sales keep the terms of their checkout. These count for checkouts from now on, and make it live.',
      above: facts(termsFacts(promotion, listing), 'boxed'),
      button: 'Change terms',
    }),
    back: ({ promotion: { handle } }) => ({ href: affiliatePath(handle), text: 'Keep them' }),
    proposes: ({ promotion, listing }) => proposedTerms(agreedIn(promotion) ?? (listing && offeredTerms(listing))),
    members: termsMembers,
    refusals: {
      ...refusals,
      listing_not_promotable: {
        member: 'commissionPercent',
        problem: 'cannot be agreed: the listing is of another product',
      },
    },
    seen: (asked) => ({
      now: seenPromotion(asked),
      intent: html`change the terms of ${mono(asked.promotion.slug)}.`,
    }),
    act: async (terms, { promotion: { handle, slug } }, { call }) => {
      await administration.putPromotion({ handle, slug }, putTerms(terms), call);
      return goTo(affiliatePath(handle), 'terms');
    },
  });
}

/** The terms in force. */
function agreedIn({ state, terms }: Promotion): Terms | null {
  return state === 'live' ? lastTerms(terms) : null;
}

function proposedTerms(terms: Terms | null): Readonly<Record<string, string>> {
  if (terms === null) return {};
  const { commissionPercent, commissionFor, holdDays } = terms;
  return {
    commissionPercent: String(commissionPercent / 100),
    commissionFor: String(commissionFor),
    holdDays: String(holdDays),
  };
}

function putTerms({ commissionPercent, ...given }: FormValues<typeof termsMembers>): PutTerms {
  const percent = commissionPercent === undefined ? null : hundredthsOf(commissionPercent);
  const { commissionFor = null, holdDays = null, codes = [] }: Partial<PutTerms> = given;
  return { commissionPercent: percent, commissionFor, holdDays, codes };
}

function pathOf(decision: string): string {
  return `${affiliatePath(':handle', 'promotions')}/:slug/${decision}`;
}

async function askedPromotion(
  { findListing, findPromotion, showAffiliate }: Administration,
  { call, parameters: { handle = '', slug = '' } }: ConsoleRequest,
): Promise<AskedPromotion> {
  const promotion = await findPromotion(handle, slug, call);
  if (promotion === null) throw new Refusal('promotion_not_found');
  const [affiliate, listing] = await Promise.all([showAffiliate(handle, call), findListing(slug, call)]);
  return { affiliate, promotion, listing };
}

function onPromotion(administration: Administration): DecidedOn<AskedPromotion> {
  return {
    noun: 'promotion',
    kind: 'Promotion',
    access,
    path: pathOf,
    find: (request) => askedPromotion(administration, request),
    crumbs: ({ affiliate }) => crumbsTo(affiliate),
    facts: ({ promotion, listing }) => termsFacts(promotion, listing),
    seen: seenPromotion,
    intent: ({ promotion: { slug } }, verb) => html`${verb} ${mono(slug)}.`,
    back: ({ promotion: { handle } }) => affiliatePath(handle),
  };
}

/** The values that a page has shown. The terms that a listing offers are those that an approval agrees on. */
function seenPromotion({ promotion, listing }: AskedPromotion): Seen {
  const offered = listing === null ? null : offeredTerms(listing);
  return {
    State: promotion.state,
    Offer: offered === null ? 'Nothing' : Object.values(offered).join(' '),
    Revision: String(promotion.revision),
  };
}
