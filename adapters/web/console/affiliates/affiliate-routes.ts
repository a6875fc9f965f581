import type { Administration } from '../../../../core/administration/administration.ts';
import { foldedHandle, handleRule, type Affiliate } from '../../../../core/affiliate/affiliate.ts';
import { maxPromotions, type Promotion } from '../../../../core/affiliate/promotion.ts';
import { allStatements } from '../../../../core/affiliate/statement/statements.port.ts';
import { shownPromotion } from '../../../../core/affiliate/storefront.ts';
import type { Call } from '../../../../core/call.ts';
import { defaultPageSize } from '../../../../core/paging/page.ts';
import { pageIn } from '../display/paging.ts';
import { statusLine } from '../display/parts.ts';
import { givenOf } from '../form/form-reading.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { isRefusal } from '../frame/form-routes.ts';
import { affiliatePath, affiliatesPath } from '../state/affiliate-paths.ts';
import { affiliateChangeRoutes } from './affiliate-change-routes.ts';
import { affiliateListPage, type AffiliateListPart, type AffiliateRow } from './affiliate-list-page.ts';
import { affiliateDone, affiliatePage, type ListedPromotion } from './affiliate-page.ts';
import { inviteAffiliateRoutes } from './invite-affiliate-routes.ts';
import { promotionRoutes } from './promotion-routes.ts';
import { saleRoutes } from './sale-routes.ts';

const access = 'admin:affiliates';

/** The pages of affiliates, their promotions and their sales. */
export function affiliateRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { administration, storefrontUrl } = parts;
  return [
    {
      id: 'consoleAffiliates',
      method: 'GET',
      path: affiliatesPath,
      access,
      handle: async ({ call, query, view }) =>
        shown(affiliateListPage(view, await listPart(administration, query, call))),
    },
    ...inviteAffiliateRoutes(parts),
    {
      id: 'consoleAffiliate',
      method: 'GET',
      path: affiliatePath(':handle'),
      access,
      handle: async ({ call, parameters: { handle = '' }, query, view }) => {
        const affiliate = await administration.showAffiliate(handle, call);
        const promotions = await withListings(administration, await promotionsOf(administration, handle, call), call);
        const isOpen = promotions.some(({ promotion, listing }) => shownPromotion(promotion, listing) !== null);
        const storefront = isOpen && affiliate.state === 'active' ? (storefrontUrl?.(handle) ?? null) : null;
        const newest = { after: null, limit: defaultPageSize };
        const [statements, { items: sales }] = await Promise.all([
          administration.listStatements({ ...allStatements, handle }, newest, call),
          administration.listSales({ productId: null, handle, currency: null }, newest, call),
        ]);
        const done = statusLine(query, affiliateDone);
        return shown(affiliatePage(view, { affiliate, promotions, storefront, statements, sales, done }));
      },
    },
    ...affiliateChangeRoutes(parts),
    ...promotionRoutes(parts),
    ...saleRoutes(parts),
  ];
}

/** Reads the part of the list that a query asks for. An unknown state is ignored. */
async function listPart(administration: Administration, query: string, call: Call): Promise<AffiliateListPart> {
  const filter = givenOf(new URLSearchParams(query), ['state', 'handle']);
  const { after } = pageIn(query);
  const state = filter.get('state');
  const written = filter.get('handle');
  const handle = written === null ? null : foldedHandle(written);
  const { found, next } = await foundBy(administration, { state, handle, after }, call);
  const rows = await Promise.all(found.map((affiliate) => rowOf(administration, affiliate, call)));
  return { rows, after, next, filter };
}

interface Asked {
  readonly state: string | null;
  readonly handle: string | null;
  readonly after: string | null;
}

interface Found {
  readonly found: readonly Affiliate[];
  readonly next: string | null;
}

async function foundBy(administration: Administration, { state, handle, after }: Asked, call: Call): Promise<Found> {
  if (handle !== null) {
    const one = handleRule.parse(handle) === null ? null : await known(administration, handle, call);
    if (one === null || !fits(one, state)) return { found: [], next: null };
    const isIn = state !== 'asks' || (await promotionsOf(administration, handle, call)).some(isAsked);
    return { found: isIn ? [one] : [], next: null };
  }
  const page = { limit: defaultPageSize, after };
  if (state === 'asks') {
    const { items, next } = await administration.listPromotions({ ...everyone, state: 'asked' }, page, call);
    const handles = [...new Set(items.map((promotion) => promotion.handle))];
    const found = await Promise.all(handles.map((each) => known(administration, each, call)));
    return { found: found.filter((affiliate) => affiliate !== null), next };
  }
  const { items, next } = await administration.listAffiliates(page, call);
  return { found: items.filter((affiliate) => fits(affiliate, state)), next };
}

const everyone = { handle: null, slug: null, productId: null, state: null } as const;

function isAsked({ state }: Promotion): boolean {
  return state === 'asked';
}

function fits(affiliate: Affiliate, state: string | null): boolean {
  return (state !== 'active' && state !== 'ended') || affiliate.state === state;
}

async function known({ showAffiliate }: Administration, handle: string, call: Call): Promise<Affiliate | null> {
  return showAffiliate(handle, call).catch((cause: unknown) => {
    if (isRefusal(cause, 'affiliate_not_found')) return null;
    throw cause;
  });
}

async function rowOf(administration: Administration, affiliate: Affiliate, call: Call): Promise<AffiliateRow> {
  return { affiliate, promotions: await promotionsOf(administration, affiliate.handle, call) };
}

async function promotionsOf(
  { listPromotions }: Administration,
  handle: string,
  call: Call,
): Promise<readonly Promotion[]> {
  return (await listPromotions({ ...everyone, handle }, { limit: maxPromotions, after: null }, call)).items;
}

async function withListings(
  { findListing }: Administration,
  promotions: readonly Promotion[],
  call: Call,
): Promise<readonly ListedPromotion[]> {
  return Promise.all(
    promotions.map(async (promotion) => ({ promotion, listing: await findListing(promotion.slug, call) })),
  );
}
