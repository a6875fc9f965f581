import { maxFound, type FoundSale } from '../../../../core/purchase/find-by-address.ts';
import type { FoundAddress } from '../../../../core/purchase/find-purchase.ts';
import { badge } from '../../markup/badge.ts';
import { countOf, numberText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { datedCell, instant } from '../display/dates.ts';
import { headedPage } from '../display/headed-page.ts';
import { mono, note, written } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { endCell } from '../entitlement/list/entitlements-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { entitlementPath, productText } from '../state/names.ts';
import { stateBadge } from '../state/state-badge.ts';
import { tierElement } from '../state/terms.ts';
import { again } from './find-page.ts';
import { mailKeysPath } from './mail-keys-page.ts';

type AddressPageParts = Pick<ConsoleParts, 'lostKeys' | 'stripePage'>;

/** The page of an address that Stripe has sold something to, or has not answered for. It does not repeat the address. */
export function addressPage(found: FoundAddress, parts: AddressPageParts, view: PageView): PageContent {
  const { sales, count, trouble } = found;
  return headedPage(
    headingOf(found),
    html`${trouble === null ? null : note('warn', null, html`<p>${troubles[trouble]}</p>`)}
    ${
      count === 0
        ? null
        : html`<section class="section">
            ${saleTable(sales, view.now)}
            ${count > maxFound ? html`<p class="muted small">${maxFound} of ${numberText(count)} are shown</p>` : null}
          </section>`
    }
    ${elsewhere(found)} ${mailBox(found, parts, view)} ${count === 0 ? again(view) : null}`,
  );
}

const troubles = {
  'no answer': html`Stripe does not answer now.`,
  refused: html`The key of this server may not read customers. Give it Customers: read; ${mono('latchkey stripe check')}
  names what is missing.`,
} as const;

function headingOf({ count, missing, trouble, signUp, references }: FoundAddress) {
  if (count > 0) {
    const title = `${countOf(count, 'purchase')} of this address`;
    return { title, ...(trouble === null && { answer: stripeKnows }) };
  }
  if (missing > 0) return { title: 'No purchase of this address', answer: stripeKnows };
  return { title: signUp === null && references.length === 0 ? 'Nothing found' : 'Found without Stripe' };
}

const stripeKnows = 'Stripe knows the address you typed. Latchkey has asked it now, and keeps nothing.';

function saleTable(sales: readonly FoundSale[], now: Date): Html {
  return table(
    'Purchases of the address, the newest first',
    [
      {
        heading: 'Purchase',
        cell: ({ entitlement: { id } }) =>
          html`<a class="row mono" href="${entitlementPath(id)}" title="${id}">${shortId(id)}</a>`,
      },
      {
        heading: 'Product',
        cell: ({ entitlement, product }) =>
          html`${written(productText(product, entitlement.productId))}<span class="sub"
              >${tierElement(entitlement)}${entitlement.billingInterval === 'one_time' ? ', bought once' : ''}</span
            >`,
      },
      { heading: 'Key', style: 'key', cell: ({ entitlement: { license } }) => mono(license?.lastFour ?? 'none') },
      { heading: 'State', cell: foundBadge },
      { heading: 'Renews or ends', label: 'Ends', style: 'num', cell: ({ entitlement }) => endCell(entitlement, now) },
      { heading: 'Bought', style: 'num', cell: ({ entitlement: { createdAt } }) => datedCell(createdAt, now) },
    ],
    sales,
  );
}

/** The ids of Stripe are long, and their ends say nothing to anybody. */
function shortId(id: string): string {
  return id.length > 13 ? `${id.slice(0, 12)}…` : id;
}

function foundBadge({ entitlement: { status }, why: { by, reason } }: FoundSale): Html {
  if (by === 'stripe' && reason === 'refunded') return badge('bad', 'Refunded');
  if (by === 'stripe' && reason === 'disputed') return badge('bad', 'Disputed');
  return stateBadge(status);
}

/** The things of the address besides Stripe's sales, and Stripe's things besides those. */
function elsewhere({ sales, count, missing, signUp, references }: FoundAddress): Html | null {
  const shown = new Set(sales.map(({ entitlement: { id } }) => id));
  const lines = [
    ...references
      .filter(({ id }) => !shown.has(id))
      .map(({ id }) => html`It is the reference of <a class="mono" href="${entitlementPath(id)}">${id}</a>.`),
    ...(signUp === null
      ? []
      : [html`It is on the <a href="/console/waitlist">waitlist</a> since ${instant(signUp.at)}.`]),
    ...(missing === 0 ? [] : [missingLine(missing, count > 0)]),
  ];
  if (lines.length === 0) return null;
  return html`<section class="section">${lines.map((line) => html`<p>${line}</p>`)}</section>`;
}

function missingLine(missing: number, isMore: boolean): Html {
  const sales = `${numberText(missing)} ${isMore ? 'more ' : ''}${missing === 1 ? 'sale' : 'sales'}`;
  return html`Stripe has ${sales} to this address, which ${missing === 1 ? 'has' : 'have'} no entitlement here.`;
}

/** The help for a buyer who has lost the keys: the mail, or the next step of a server without mail. */
function mailBox({ sales, customer }: FoundAddress, { lostKeys, stripePage }: AddressPageParts, view: PageView) {
  const newest = sales[0]?.entitlement.id;
  if (newest === undefined) return null;
  const atStripe =
    customer === null
      ? null
      : html`<a
          class="button"
          href="${stripePage(newest, `customers/${encodeURIComponent(customer)}`)}"
          rel="noopener noreferrer"
          >Open the customer at Stripe</a
        >`;
  if (!view.may('admin:entitlements')) return atStripe && html`<div class="buttons">${atStripe}</div>`;
  const mail =
    lostKeys.kind === 'page'
      ? html`<a class="button primary" href="${mailKeysPath(newest)}">Mail the keys to this address</a>`
      : null;
  return html`<section class="section">
    <div class="sold">
      <div class="line"><h2>Lost the key, or the mail never came?</h2></div>
      <p>${lostKeys.kind === 'page' ? sameMail : html`${noMail[lostKeys.kind]}`}</p>
      ${mail === null && atStripe === null ? null : html`<div class="buttons">${mail}${atStripe}</div>`}
    </div>
  </section>`;
}

const sameMail = html`The same mail as at ${mono('/license/lost')}: every key that works, and a link of 24 hours to
manage each. It goes to the address as Stripe has it.`;

const noMail = {
  'no mail': 'This server sends no mail: SMTP_URL is not set. Copy a link on the page of the purchase.',
  'no pages': 'BUYER_PAGES is off, so there is no page to link to.',
} as const;
