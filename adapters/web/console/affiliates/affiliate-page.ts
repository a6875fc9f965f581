import type { Affiliate } from '../../../../core/affiliate/affiliate.ts';
import type { Promotion, PromotionState } from '../../../../core/affiliate/promotion.ts';
import { shownCode } from '../../../../core/affiliate/sale-link.ts';
import { lastTerms, type Terms, type TermsVersion } from '../../../../core/affiliate/sale/terms.ts';
import type { ShownSale } from '../../../../core/affiliate/selling/shown-sale.ts';
import type { Statement } from '../../../../core/affiliate/statement/statement.ts';
import { compareNewest } from '../../../../core/affiliate/storefront.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import type { Page } from '../../../../core/paging/page.ts';
import { offeredTerms, shortTermsText } from '../../affiliates/terms-texts.ts';
import { withoutScheme } from '../../buyers/parts.ts';
import { badge, type Tone } from '../../markup/badge.ts';
import { countOf, fullDayText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { dayOf } from '../display/dates.ts';
import { crumbs, facts, linkFor, mono, written, type Crumb, type DoneTexts } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { listingPath } from '../listings/listing-state.ts';
import { affiliatePath, affiliatesPath, promotionPath } from '../state/affiliate-paths.ts';
import { affiliateBadge, mayInvite } from './affiliate-list-page.ts';
import { salesSection } from './sales-section.ts';
import { statementsSection } from './statements-section.ts';

/** The texts of the page after a change. */
export const affiliateDone: DoneTexts = {
  edited: 'The affiliate was changed.',
  end: 'The affiliate has ended, with every promotion and link.',
  erase: 'The affiliate was erased.',
  'end-links': 'Every link has ended.',
  approve: 'The promotion is live.',
  refuse: 'The promotion has ended.',
  terms: 'The promotion is live, with these terms from now on.',
};

/** A promotion, and its listing; null for one that was deleted, or is not the operator's to see. */
export interface ListedPromotion {
  readonly promotion: Promotion;
  readonly listing: Listing | null;
}

/** The page of an affiliate. */
export interface AffiliateDetails {
  readonly affiliate: Affiliate;
  readonly promotions: readonly ListedPromotion[];
  /** The address of the storefront; null for a server that shows none. */
  readonly storefront: string | null;
  /** The newest month first. */
  readonly statements: Page<Statement>;
  /** The newest. */
  readonly sales: readonly ShownSale[];
  readonly done: Html | null;
}

/** The way to the page of an affiliate. */
export function crumbsTo({ handle }: Affiliate): readonly Crumb[] {
  return [
    { href: affiliatesPath, text: 'Affiliates' },
    { href: affiliatePath(handle), text: `@${handle}` },
  ];
}

export function affiliatePage(view: PageView, details: AffiliateDetails): PageContent {
  const { affiliate, promotions, done } = details;
  const { handle, name } = affiliate;
  const add =
    affiliate.state === 'ended'
      ? null
      : html`<a class="button" href="${promotionPath(handle, null)}">Add a promotion</a>`;
  return {
    title: name,
    main: html`<div class="page">
      <div class="title">
        ${crumbs([{ href: affiliatesPath, text: 'Affiliates' }], `@${handle}`)}
        <div class="line">
          <h1>${written(name)}</h1>
          ${buttons(view, affiliate)}
        </div>
      </div>
      ${done} ${facts(factsOf(details), 'boxed')}
      <section class="section" aria-labelledby="promotions">
        <div class="line">
          <h2 id="promotions">Promotions</h2>
          ${add}
        </div>
        ${promotions.length === 0 ? html`<p class="muted">None yet.</p>` : promotionTable(view, affiliate, promotions)}
      </section>
      ${statementsSection(handle, details.statements)} ${salesSection(details.sales, view)}
    </div>`,
  };
}

function buttons(view: PageView, affiliate: Affiliate): Html | null {
  if (!mayInvite(view) || affiliate.email === null) return null;
  const link = (change: string, text: string): Html =>
    html`<a class="button" href="${affiliatePath(affiliate.handle, change)}">${text}</a>`;
  return affiliate.state === 'active'
    ? html`<div class="buttons">
        ${link('link', 'Link for the affiliate')}${link('end-links', 'End links')}${link('edit', 'Edit')}${link('end', 'End')}
      </div>`
    : html`<div class="buttons">${link('edit', 'Edit')}${link('erase', 'Erase')}</div>`;
}

type Fact = readonly [name: string, value: Html | string];

function factsOf({ affiliate, storefront }: AffiliateDetails): readonly Fact[] {
  const { handle, email, about, url, payTo, createdAt } = affiliate;
  const front =
    storefront === null
      ? mono(`@${handle}`)
      : html`<a href="${storefront}" rel="noopener">${withoutScheme(storefront)}</a>`;
  const site: readonly Fact[] =
    url === null ? [] : [['Site', html`<a href="${url}" rel="nofollow noopener">${url}</a>`]];
  return [
    ['State', affiliateBadge(affiliate)],
    ['Storefront', front],
    ['E-mail', email === null ? '–' : written(email)],
    ['Paid at', payTo === null ? '–' : written(payTo)],
    ...site,
    ...(about === null ? [] : [['About', written(about)] as const]),
    ['Invited', dayOf(createdAt)],
  ];
}

const states: Readonly<Record<PromotionState, readonly [tone: Tone, word: string]>> = {
  asked: ['warn', 'To approve'],
  live: ['ok', 'Live'],
  ended: ['over', 'Ended'],
};

const order = Object.keys(states);

function promotionTable(view: PageView, affiliate: Affiliate, promotions: readonly ListedPromotion[]): Html {
  const sorted = promotions.toSorted(
    ({ promotion: a }, { promotion: b }) => order.indexOf(a.state) - order.indexOf(b.state) || compareNewest(a, b),
  );
  return table(
    'Promotions, those to approve first',
    [
      { heading: 'Listing', cell: (row) => listingCell(view, row) },
      { heading: 'Terms', cell: termsCell },
      { heading: 'Codes', cell: ({ promotion: { codes } }) => mono(codesText(codes)) },
      { heading: 'State', cell: ({ promotion: { state } }) => badge(...states[state]) },
      { heading: '', atEnd: true, cell: (row) => (affiliate.state === 'ended' ? html`` : actionsOf(row)) },
    ],
    sorted,
  );
}

function codesText(codes: readonly string[]): string {
  return codes.length === 0 ? '–' : codes.map(shownCode).join(' ');
}

function listingCell(view: PageView, { promotion: { slug }, listing }: ListedPromotion): Html {
  if (listing === null) return html`${mono(slug)}<span class="sub">Its listing is gone</span>`;
  const link = linkFor(view, 'admin:read', listingPath(slug), { text: written(listing.name), style: 'row' });
  return html`${link}<span class="sub mono">${slug}</span>`;
}

function termsCell({ promotion, listing }: ListedPromotion): Html {
  const { state, terms } = promotion;
  const offered = listing === null ? null : offeredTerms(listing);
  if (state === 'asked') {
    if (offered === null) return html`<span class="muted">The listing says none</span>`;
    return html`${shortTermsText(offered)}<span class="sub">Those of the listing, ${holdText(offered)}</span>`;
  }
  const last = terms.at(-1);
  if (state === 'ended') return last === undefined ? html`–` : html`Until ${fullDayText(last.from)}`;
  const agreed = lastTerms(terms);
  if (agreed === null || last === undefined) return html`–`;
  return html`${shortTermsText(agreed)}<span class="sub"
      >Since ${fullDayText(last.from)}${beforeText(terms)}, ${holdText(agreed)}</span
    >`;
}

function beforeText(terms: readonly TermsVersion[]): string {
  const before = lastTerms(terms.slice(0, -1));
  return before === null ? '' : `; ${shortTermsText(before)} before`;
}

/** "hold 30 days". */
function holdText({ holdDays }: Terms): string {
  return holdDays === 0 ? 'no hold' : `hold ${countOf(holdDays, 'day')}`;
}

function actionsOf({ promotion, listing }: ListedPromotion): Html {
  const { handle, slug, state } = promotion;
  const name = listing?.name ?? slug;
  const link = (change: string, text: string, style = 'button'): Html =>
    html`<a class="${style}" href="${promotionPath(handle, slug, change)}"
      >${text}<span class="hidden"> ${name}</span></a
    >`;
  const isOther = listing === null || listing.productId !== promotion.productId;
  const approve = isOther ? null : link('approve', 'Approve', 'button primary');
  const change = isOther ? null : link('change', state === 'ended' ? 'Agree again' : 'Change');
  if (state === 'asked') return html`<div class="buttons">${approve}${change}${link('refuse', 'Refuse')}</div>`;
  return html`<div class="buttons">${change}${state === 'ended' ? null : link('end', 'End')}</div>`;
}

/** The terms that are agreed, and those that the listing offers, beside a form that changes them. */
export function termsFacts(promotion: Promotion, listing: Listing | null): readonly Fact[] {
  const agreed = promotion.state === 'live' ? lastTerms(promotion.terms) : null;
  const offered = listing === null ? null : offeredTerms(listing);
  return [
    ['Listing', listing === null ? mono(promotion.slug) : written(listing.name)],
    ['Agreed', wholeTermsText(agreed)],
    ['The listing offers', wholeTermsText(offered)],
    ['Codes', codesText(promotion.codes)],
  ];
}

function wholeTermsText(terms: Terms | null): string {
  return terms === null ? 'Nothing' : `${shortTermsText(terms)}, ${holdText(terms)}`;
}
