import {
  affiliatesCall,
  type OpenAffiliateLink,
  type OpenedAffiliate,
} from '../../../core/affiliate/affiliate-links.ts';
import type { FindOwnStatement, ShowEarnings } from '../../../core/affiliate/closing/earnings.ts';
import type { EveryLine } from '../../../core/affiliate/closing/manage-statements.ts';
import { statementCsv } from '../../../core/affiliate/closing/statement-csv.ts';
import type { SetAffiliate } from '../../../core/affiliate/manage-affiliates.ts';
import type { AskForPromotion, EndPromotion } from '../../../core/affiliate/manage-promotions.ts';
import type { Promotion } from '../../../core/affiliate/promotion.ts';
import type { Promotions } from '../../../core/affiliate/promotions.port.ts';
import { isPromotable } from '../../../core/affiliate/storefront.ts';
import type { Call, NewCall } from '../../../core/call.ts';
import { readListingQuery } from '../../../core/catalog/listing-query.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { BuyerRequest, BuyerRoute } from '../buyers/license-routes.ts';
import { html, type Html } from '../markup/html.ts';
import { noStore, type AffiliateError, type PageAnswer } from '../page/page.ts';
import { keptPerRevision } from '../page/revision-cache.ts';
import { detailsOf, readDetails } from './details-form.ts';
import { doneNote, endedPage, endPage, notDoneNote, ownPage } from './own-page.ts';
import { offersTo, type OwnPage } from './own-view.ts';
import { answerPage, type AffiliateParts } from './parts.ts';

/** The use cases of the own page of an affiliate. */
export interface OwnUseCases {
  readonly open: OpenAffiliateLink;
  readonly promotionsOf: Promotions['ofAffiliate'];
  readonly showEarnings: ShowEarnings;
  readonly findStatement: FindOwnStatement;
  readonly everyLine: EveryLine;
  readonly ask: AskForPromotion;
  readonly end: EndPromotion;
  readonly set: SetAffiliate;
}

/** Listings among which an affiliate chooses on the page. */
const maxOffers = 200;

/** Every live listing, those with the most storefronts first. */
const wholeCatalog = { ...readListingQuery(() => null), limit: Number.MAX_SAFE_INTEGER };

const refusals: Readonly<Record<AffiliateError, readonly [status: number, says: string]>> = {
  affiliate_ended: [409, 'You are no affiliate of this site any more.'],
  changed_meanwhile: [409, 'Something else was changed at the same time. Try it again.'],
  listing_not_found: [404, 'This listing has been removed.'],
  listing_not_promotable: [409, 'This listing cannot be promoted now.'],
  promotion_not_found: [404, 'You do not promote this listing.'],
  statement_not_found: [404, 'No statement of yours has this address.'],
  too_many_promotions: [409, 'You promote as many listings as one affiliate can.'],
  too_many_terms: [409, 'The terms of this promotion were changed too often. Ask the operator of the site.'],
};

function isKnown(code: string): code is AffiliateError {
  return Object.hasOwn(refusals, code);
}

/** An affiliate who has opened the page, and the request. */
interface Opened extends OpenedAffiliate {
  readonly path: string;
  readonly request: BuyerRequest;
  /** The call of the affiliate. */
  readonly call: Call;
}

type Handle = (opened: Opened) => Promise<PageAnswer>;

/** `/affiliates/links/TOKEN`: the own page of an affiliate. GET shows and asks, POST does. */
export function ownRoutes(parts: AffiliateParts, useCases: OwnUseCases, isMailed: boolean): readonly BuyerRoute[] {
  const { catalog, layout } = parts;
  const promotable = keptPerRevision(
    () => catalog.revision(),
    async (call) => (await catalog.listingPage(wholeCatalog, call)).listings.filter(isPromotable),
  );
  const show = async (opened: Opened, more: Partial<OwnPage> = {}): Promise<OwnPage> => {
    const { affiliate, call, request } = opened;
    await catalog.loaded(call);
    const query = new URLSearchParams(request.query);
    const statementsAfter = query.get('after');
    const promotions = await useCases.promotionsOf(affiliate.handle, call);
    const all = offersTo(promotions, await promotable(call), query.get('listing'));
    return {
      ...opened,
      layout,
      isMailed,
      promotions,
      earnings: await useCases.showEarnings(affiliate.handle, statementsAfter, call),
      statementsAfter,
      now: call.now,
      findLive: (slug) => catalog.listing(slug),
      offers: all.slice(0, maxOffers),
      hasMoreOffers: all.length > maxOffers,
      note: null,
      details: detailsOf(affiliate),
      ...more,
    };
  };
  const refuse = async (opened: Opened, code: AffiliateError): Promise<PageAnswer> => {
    const [status, says] = refusals[code];
    return answerPage(parts, ownPage(await show(opened, { note: notDoneNote(says) })), status, code);
  };
  const ended = ({ call: { correlationId } }: BuyerRequest): PageAnswer =>
    answerPage(parts, endedPage(layout, isMailed, correlationId), 404, 'link_not_found');
  const route = (id: string, method: 'GET' | 'POST', below: string, handle: Handle): BuyerRoute => ({
    id,
    method,
    path: `/affiliates/links/:token${below}`,
    handle: async (request) => {
      const token = request.parameters['token'] ?? '';
      const found = await request.countUnknown(() => useCases.open(token, request.call), 'link').catch(unlessEnded);
      if (found === null) return ended(request);
      const path = layout.href(`/affiliates/links/${token}`);
      const opened = { ...found, path, request, call: affiliatesCall(request.call, found.affiliate) };
      try {
        return await handle(opened);
      } catch (cause) {
        if (!(cause instanceof Refusal) || !isKnown(cause.code)) throw cause;
        return refuse(opened, cause.code);
      }
    },
  });
  return [
    route('showAffiliatePage', 'GET', '', async (opened) => {
      const own = await show(opened);
      return answerPage(parts, ownPage({ ...own, note: doneIn(own, new URLSearchParams(opened.request.query)) }));
    }),
    route('downloadStatement', 'GET', '/statements/:id.csv', async ({ affiliate, request, call }) => {
      const { id = '' } = request.parameters;
      const statement = await useCases.findStatement(affiliate.handle, id, call);
      const lines = (newCall: NewCall) => useCases.everyLine(id, () => affiliatesCall(newCall(), affiliate));
      return {
        status: 200,
        content: null,
        parts: (newCall) => statementCsv(statement, lines(newCall)),
        contentType: 'text/csv; charset=utf-8',
        cacheControl: noStore,
        contentPolicy: parts.contentPolicy,
        headers: ['Content-Disposition', `attachment; filename="${id}.csv"`],
      };
    }),
    route('askForPromotion', 'POST', '/promotions', async ({ affiliate, request, call, path }) => {
      const slug = request.form.get('slug') ?? '';
      await useCases.ask({ handle: affiliate.handle, slug }, call);
      return seeOther(`${path}?${new URLSearchParams({ promoted: slug }).toString()}`);
    }),
    route('askToEndPromotion', 'GET', '/promotions/:slug/end', async (opened) => {
      const own = await show(opened);
      const slug = slugIn(opened);
      const promotion = own.promotions.find((each) => each.slug === slug);
      if (promotion === undefined || promotion.state === 'ended') return seeOther(own.path);
      return answerPage(parts, endPage(own, promotion, own.findLive(slug)?.name ?? slug));
    }),
    route('endPromotionByLink', 'POST', '/promotions/:slug/end', async (opened) => {
      const slug = slugIn(opened);
      await useCases.end(opened.affiliate.handle, slug, opened.call);
      return seeOther(`${opened.path}?${new URLSearchParams({ ended: slug }).toString()}`);
    }),
    route('changeAffiliateDetails', 'POST', '/details', async (opened) => {
      const { details, facts } = readDetails(opened.request.form);
      if (facts === null) return answerPage(parts, ownPage(await show(opened, { details })), 400, 'invalid_body');
      await useCases.set(opened.affiliate.handle, facts, opened.call);
      return seeOther(`${opened.path}?saved=yes`);
    }),
    ...(['GET', 'POST'] as const).map((method) => ({
      id: 'unknownAffiliatePage',
      method,
      path: '/affiliates/links/*',
      handle: async (request: BuyerRequest) => ({
        ...parts.refused('not_found', request),
        contentPolicy: parts.contentPolicy,
      }),
    })),
  ];
}

function slugIn({ request }: Opened): string {
  return request.parameters['slug'] ?? '';
}

/** Null for a link that opens nothing. */
function unlessEnded(cause: unknown): null {
  if (cause instanceof Refusal && cause.code === 'link_not_found') return null;
  throw cause;
}

function seeOther(location: string): PageAnswer {
  return { status: 303, content: null, cacheControl: noStore, headers: ['Location', location] };
}

/** The note about a change, if it is really made; null otherwise, whatever the address says. */
function doneIn({ promotions, findLive }: OwnPage, query: URLSearchParams): Html | null {
  const named = (name: string): { readonly state?: Promotion['state']; readonly shown: Html } => {
    const slug = query.get(name) ?? '';
    const state = promotions.find((each) => each.slug === slug)?.state;
    return { ...(state !== undefined && { state }), shown: html`<bdi>${findLive(slug)?.name ?? slug}</bdi>` };
  };
  if (query.has('saved')) return doneNote(html`Saved`, html`Your storefront shows it at once.`);
  const promoted = named('promoted');
  if (promoted.state === 'live') {
    return doneNote(html`You promote ${promoted.shown}`, html`Copy its link below, and share it.`);
  }
  if (promoted.state === 'asked') {
    return doneNote(html`You have asked for ${promoted.shown}`, html`It is live as soon as it is approved.`);
  }
  const { state, shown } = named('ended');
  return state === 'ended' ? doneNote(html`${shown} has ended`, html`You can ask for it again.`) : null;
}
