import { unknownCurrency, type SaleSource } from '../../../../core/affiliate/sale/sale.ts';
import type { ShownSale } from '../../../../core/affiliate/selling/shown-sale.ts';
import { shortTermsText } from '../../affiliates/terms-texts.ts';
import { badge } from '../../markup/badge.ts';
import { html, type Html } from '../../markup/html.ts';
import { moneyText } from '../../markup/money.ts';
import { table } from '../../markup/table.ts';
import { datedCell } from '../display/dates.ts';
import { facts, mono, written } from '../display/parts.ts';
import type { PageView } from '../display/view.ts';
import { affiliatePath } from '../state/affiliate-paths.ts';
import { entitlementPath } from '../state/names.ts';

const sources: Readonly<Record<SaleSource, string>> = {
  code: 'By a promotion code',
  metadata: 'By the seller’s site',
  link: 'By a link',
  operator: 'By an operator',
  put: 'Put with its payments',
};

/** The box on the page of an entitlement that an affiliate has brought. */
export function soldBySection(sale: ShownSale): Html {
  const { handle, slug, by, terms, commission, due, waiting, voided } = sale;
  return html`<section class="section">
    <h2>Sold by <a href="${affiliatePath(handle)}">@${handle}</a></h2>
    ${facts(
      [
        ['Listing', mono(slug)],
        ['Known', sources[by]],
        ['Terms', shortTermsText(terms)],
        ...(voided === null ? [] : [['Void', written(voided.reason)] as const]),
        ['Commission', amountOf(sale, commission)],
        ['Due now', amountOf(sale, due)],
        ['In hold, or not confirmed', amountOf(sale, waiting)],
      ],
      'boxed',
    )}
  </section>`;
}

/** The newest sales on the page of an affiliate. */
export function salesSection(sales: readonly ShownSale[], { now }: PageView): Html {
  return html`<section class="section" aria-labelledby="sales">
    <h2 id="sales">Sales</h2>
    ${sales.length === 0 ? html`<p class="muted">None yet.</p>` : saleTable(sales, now)}
  </section>`;
}

function saleTable(sales: readonly ShownSale[], now: Date): Html {
  return table(
    'Sales, the newest first',
    [
      {
        heading: 'Entitlement',
        cell: ({ entitlementId: id }) => html`<a class="row mono" href="${entitlementPath(id)}">${id}</a>`,
      },
      { heading: 'Product', cell: ({ productId }) => mono(productId) },
      { heading: 'Sold', isMuted: true, cell: ({ attributedAt }) => datedCell(attributedAt, now) },
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
