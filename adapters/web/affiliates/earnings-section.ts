import type { Earned } from '../../../core/affiliate/closing/earnings.ts';
import { counted, lastHoldEnd } from '../../../core/affiliate/sale/commission.ts';
import { unknownCurrency, type SaleSource } from '../../../core/affiliate/sale/sale.ts';
import type { ShownSale } from '../../../core/affiliate/selling/shown-sale.ts';
import type { Statement } from '../../../core/affiliate/statement/statement.ts';
import { maxPageSize } from '../../../core/paging/page.ts';
import { countOf, fullDayText } from '../markup/figures.ts';
import { html, type Html } from '../markup/html.ts';
import { currencyName, moneyElement, moneyText } from '../markup/money.ts';
import { table, type Column } from '../markup/table.ts';
import type { OwnPage } from './own-view.ts';
import { monthText, statementBadge } from './statement-texts.ts';

/** Sales in the list of the latest. */
const latestSales = 20;

/** The earnings of an affiliate, by currency. */
export function earningsSection({ earnings, now }: OwnPage): Html {
  const { earned, sales, hasMoreSales, statements } = earnings;
  const [first, ...others] = earned;
  const more = `You have more than ${maxPageSize} sales, so what no statement has of them is not added up here. `;
  const rule = html`<p class="muted small">
    ${hasMoreSales ? more : null}A payment counts when its hold has ended, if it was not given back until then. What is
    given back later is taken off the next statement.
  </p>`;
  const isEmpty = sales.length === 0 && statements.items.length === 0;
  return html`<section class="section" aria-labelledby="earnings">
    <div class="line">
      <h2 id="earnings">Earnings</h2>
      ${first === undefined ? null : currencyLine(first)}
    </div>
    ${first === undefined ? null : sums(first, now)}
    ${others.map((each) => html`${currencyLine(each)} ${sums(each, now)}`)}
    ${isEmpty ? html`<p>You have sold nothing yet.</p>` : rule}
  </section>`;
}

function currencyLine({ currency }: Earned): Html {
  return html`<p class="muted small">In ${currencyName(currency)}</p>`;
}

function sums({ currency, toPay, unstated, carried }: Earned, now: Date): Html | null {
  if (toPay === null && unstated === null) return null;
  const sum = (name: string, amount: number, says: string): Html =>
    html`<div>
      <dt class="muted small">${name}</dt>
      <dd>${moneyElement(amount, currency)}</dd>
      <dd>${says}</dd>
    </div>`;
  return html`<dl class="sums">
    ${toPay && sum('To be paid', toPay.amount, `in ${countOf(toPay.count, 'statement')}`)}${
      unstated &&
      html`${sum('In the next statement', unstated.due, nextText(unstated.due, carried, currency))}${sum(
        'On hold',
        unstated.waiting,
        waitsText(unstated.waitingUntil, now),
      )}`
    }
  </dl>`;
}

/** The words about the lines of the next statement, with the balance that it takes over. */
function nextText(due: number, carried: number | null, currency: string): string {
  const says = due < 0 ? 'which is taken off' : 'whose hold has ended';
  if (carried === 0) return says;
  const over = carried === null ? 'what is' : moneyText(-carried, currency);
  return `${says}, ${due < 0 ? 'with' : 'less'} ${over} carried over`;
}

function waitsText(until: Date | null, now: Date): string {
  if (until === null) return 'nothing waits';
  return until > now ? `until ${fullDayText(until)} at the latest` : 'until it is confirmed';
}

/** The statements of an affiliate, each with its file. */
export function statementsSection(own: OwnPage): Html {
  const { earnings, path, statementsAfter } = own;
  const { items, next } = earnings.statements;
  if (items.length === 0) return html`<p>None yet. A month with earnings makes one, once it is closed.</p>`;
  const newest = statementsAfter === null ? null : html`<a class="button" href="${path}#statements">Newest</a>`;
  const older =
    next === null ? null : html`<a class="button" rel="next" href="${`${path}?after=${next}#statements`}">Older</a>`;
  const links = newest === null && older === null ? null : html`<div class="buttons">${newest}${older}</div>`;
  return html`${table('Statements, the newest first', statementColumns(own), items)} ${links}`;
}

function statementColumns({ earnings: { productNames }, path }: OwnPage): readonly Column<Statement>[] {
  const nameOf = ({ productId }: Statement): string => productNames.get(productId) ?? productId;
  return [
    {
      heading: 'Month',
      cell: (each) => html`${monthText(each.month)}<span class="sub" dir="auto">${nameOf(each)}</span>`,
    },
    {
      heading: 'Carried over',
      atEnd: true,
      isMuted: true,
      cell: ({ opening, currency }) => (opening === 0 ? '–' : moneyElement(opening, currency)),
    },
    { heading: 'Earned', atEnd: true, cell: ({ total, currency }) => moneyElement(total, currency) },
    {
      heading: 'Balance',
      atEnd: true,
      cell: ({ balance, currency }) => html`<strong>${moneyElement(balance, currency)}</strong>`,
    },
    { heading: 'State', cell: (each) => html`${statementBadge(each)}${paidLine(each)}` },
    {
      heading: '',
      atEnd: true,
      cell: (each) =>
        html`<a class="button" href="${`${path}/statements/${each.id}.csv`}" download
          >Download<span class="hidden"> ${monthText(each.month)}, ${nameOf(each)}</span></a
        >`,
    },
  ];
}

function paidLine({ paid }: Statement): Html | null {
  if (paid === null) return null;
  return html`<span class="sub">${fullDayText(paid.at)}, <bdi>${paid.method}</bdi></span>`;
}

const sources: Readonly<Record<SaleSource, string>> = {
  code: 'code',
  // The link has led to the seller's site, which has passed the name on.
  metadata: 'link',
  link: 'link',
  operator: 'operator',
  put: 'seller',
};

/** The latest sales of an affiliate, by the names that tell nothing of the buyer. */
export function salesSection({ earnings: { sales, hasMoreSales, productNames }, now }: OwnPage): Html {
  const shown = sales.slice(0, latestSales);
  const hasMore = hasMoreSales || sales.length > shown.length;
  return html`${table(
    'Sales, the newest first',
    [
      { heading: 'Sale', style: 'key', cell: ({ id }) => html`<span class="mono">${shortName(id)}</span>` },
      {
        heading: 'Product',
        cell: ({ productId }) => html`<bdi>${productNames.get(productId) ?? productId}</bdi>`,
      },
      { heading: 'Since', cell: ({ attributedAt }) => fullDayText(attributedAt) },
      { heading: 'By', cell: ({ by }) => sources[by] },
      {
        heading: 'Earned',
        atEnd: true,
        cell: ({ commission, currency }) => (currency === unknownCurrency ? '–' : moneyElement(commission, currency)),
      },
      { heading: 'What', cell: (sale) => html`<span class="muted">${whatOf(sale, now)}</span>` },
    ],
    shown,
  )}
  ${hasMore ? html`<p class="muted small">These are the latest ${shown.length}.</p>` : null}`;
}

/** "sale_7hQ…x2". */
function shortName(id: string): string {
  return `${id.slice(0, 8)}…${id.slice(-2)}`;
}

/** Where the commission of a sale is. */
function whatOf(sale: ShownSale, now: Date): Html | string {
  const { due, stated, waiting, commission, voided, currency } = sale;
  const holdEnd = lastHoldEnd(sale) ?? now;
  const isHeld = holdEnd > now;
  if (due !== stated) {
    const next = due > stated ? 'In the next statement' : 'Taken off the next statement';
    if (waiting === 0) return next;
    const rest = `${moneyText(waiting, currency)} ${isHeld ? 'on hold' : 'not confirmed yet'}`;
    return html`${next}<span class="sub">${rest}</span>`;
  }
  if (waiting > 0) return isHeld ? `On hold until ${fullDayText(holdEnd)}` : 'Not confirmed yet';
  if (voided !== null) return 'Does not count';
  if (commission > 0) return 'In a statement';
  const paid = counted(sale);
  if (paid.length === 0) return 'Not paid yet';
  return paid.every(({ kept }) => kept === 0) ? 'Refunded or disputed' : 'Nothing earned';
}
