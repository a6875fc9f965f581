import { unknownCurrency, type SaleSource } from '../../../../core/affiliate/sale/sale.ts';
import type { ShownSale } from '../../../../core/affiliate/selling/shown-sale.ts';
import { shortTermsText } from '../../affiliates/terms-texts.ts';
import { badge } from '../../markup/badge.ts';
import { html, type Html } from '../../markup/html.ts';
import { moneyText } from '../../markup/money.ts';
import { table } from '../../markup/table.ts';
import { datedCell } from '../display/dates.ts';
import { facts, linkFor, mono, written } from '../display/parts.ts';
import type { PageView } from '../display/view.ts';
import { affiliatePath, salePath } from '../state/affiliate-paths.ts';
import { entitlementPath } from '../state/names.ts';

const sources: Readonly<Record<SaleSource, string>> = {
  code: 'By a promotion code',
  metadata: 'By the seller’s site',
  link: 'By a link',
  operator: 'By an operator',
  put: 'Put with its payments',
};

/** The sale of an entitlement; `nobody` if an affiliate may have brought it, but none is known. */
export type Brought = ShownSale | 'nobody';

/** The box on the page of an entitlement that says who has sold it. */
export function soldBySection(entitlementId: string, sale: Brought): Html {
  const link = (change: 'void' | 'restore' | 'assign', text: string): Html =>
    html`<a class="button" href="${salePath(entitlementId, change)}">${text}<span class="hidden"> the sale</span></a>`;
  if (sale === 'nobody') {
    return headed(
      html`Sold by no affiliate`,
      link('assign', 'Assign'),
      html`<p class="muted">The checkout named none. Give it to an affiliate who has brought it.</p>`,
    );
  }
  const { handle, voided, statements } = sale;
  const other = statements === 0 ? link('assign', 'Assign') : null;
  return headed(
    html`Sold by <a href="${affiliatePath(handle)}">@${handle}</a>`,
    html`${voided === null ? link('void', 'Void') : link('restore', 'Restore')}${other}`,
    facts(saleFacts(sale), 'boxed'),
  );
}

function headed(heading: Html, buttons: Html, content: Html): Html {
  return html`<section class="section">
    <div class="line">
      <h2>${heading}</h2>
      <div class="buttons">${buttons}</div>
    </div>
    ${content}
  </section>`;
}

/** The commission of a sale, and its terms. */
export function saleFacts(sale: ShownSale): readonly (readonly [name: string, value: Html | string])[] {
  const { slug, by, terms, commission, due, waiting, voided } = sale;
  return [
    ['Listing', mono(slug)],
    ['Known', sources[by]],
    ['Terms', shortTermsText(terms)],
    ...(voided === null ? [] : [['Void', written(voided.reason)] as const]),
    ['Commission', amountOf(sale, commission)],
    ['Due now', amountOf(sale, due)],
    ['In hold, or not confirmed', amountOf(sale, waiting)],
  ];
}

/** The newest sales on the page of an affiliate. */
export function salesSection(sales: readonly ShownSale[], view: PageView): Html {
  return html`<section class="section" aria-labelledby="sales">
    <h2 id="sales">Sales</h2>
    ${sales.length === 0 ? html`<p class="muted">None yet.</p>` : saleTable(sales, view)}
  </section>`;
}

function saleTable(sales: readonly ShownSale[], view: PageView): Html {
  return table(
    'Sales, the newest first',
    [
      {
        heading: 'Entitlement',
        cell: ({ entitlementId: id }) =>
          linkFor(view, 'admin:read', entitlementPath(id), { text: id, style: 'row mono' }),
      },
      { heading: 'Product', cell: ({ productId }) => mono(productId) },
      { heading: 'Sold', isMuted: true, cell: ({ attributedAt }) => datedCell(attributedAt, view.now) },
      { heading: 'Commission', cell: commissionCell },
      { heading: 'Due now', cell: (sale) => html`${amountOf(sale, sale.due)}` },
    ],
    sales,
  );
}

function commissionCell(sale: ShownSale): Html {
  return sale.voided === null ? html`${amountOf(sale, sale.commission)}` : badge('over', 'Void');
}

function amountOf({ currency }: ShownSale, amount: number): string {
  return currency === unknownCurrency ? '–' : moneyText(amount, currency);
}
