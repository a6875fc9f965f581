import type { ShownLine, StatementShown } from '../../../../core/affiliate/closing/manage-statements.ts';
import { stateOf, type Statement } from '../../../../core/affiliate/statement/statement.ts';
import type { Page } from '../../../../core/paging/page.ts';
import { monthText, statementBadge } from '../../affiliates/statement-texts.ts';
import { shortTermsText } from '../../affiliates/terms-texts.ts';
import { countOf } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { datedCell, instantText } from '../display/dates.ts';
import { pageLinks } from '../display/paging.ts';
import { crumbs, facts, linkFor, mono, written, type Crumb } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { affiliatePath } from '../state/affiliate-paths.ts';
import { entitlementPath } from '../state/names.ts';
import { amountOf, statementPath, statementsPath } from './statement-parts.ts';

export interface StatementContent {
  readonly found: StatementShown;
  readonly lines: Page<ShownLine>;
  readonly after: string | null;
  readonly done: Html | null;
}

export function statementPage(view: PageView, { found, lines, after, done }: StatementContent): PageContent {
  const { statement } = found;
  const { id, productId, month } = statement;
  return {
    title: `${productId}, ${monthText(month)}`,
    main: html`<div class="page">
      ${done}
      <div class="title">
        ${crumbs(crumbsTo(found), monthText(month))}
        <div class="line">
          <h1>${mono(productId)}, ${monthText(month)}</h1>
          <div class="buttons">
            <a class="button" href="${statementPath(id, 'lines.csv')}" download>Download</a>${paymentButton(statement)}
          </div>
        </div>
      </div>
      <p>${statementBadge(statement)} ${owedText(found)}</p>
      ${facts(statementFacts(found), 'boxed')}
      <section class="section" aria-labelledby="lines">
        <div class="line">
          <h2 id="lines">Lines</h2>
          <p class="muted small">${countOf(statement.lineCount, 'sale')}</p>
        </div>
        ${lineTable(statement, lines.items, view)}
        ${pageLinks(statementPath(id), new URLSearchParams(), after, lines.next)}
        <p class="muted small">A statement never changes. What changes later is a line of the next one.</p>
      </section>
    </div>`,
  };
}

/** The path to a statement, by its affiliate if the caller knows her. */
export function crumbsTo({ affiliate }: StatementShown): readonly Crumb[] {
  const list = { href: statementsPath, text: 'Statements' };
  return affiliate === null ? [list] : [list, { href: affiliatePath(affiliate.handle), text: `@${affiliate.handle}` }];
}

function paymentButton(statement: Statement): Html | null {
  const { id } = statement;
  switch (stateOf(statement)) {
    case 'to_pay':
      return html`<a class="button primary" href="${statementPath(id, 'paid')}">Record a payment</a>`;
    case 'paid':
      return html`<a class="button" href="${statementPath(id, 'unpaid')}">Undo the payment</a>`;
    case 'carried':
    case 'settled':
      return null;
  }
}

function owedText({ statement, affiliate }: StatementShown): Html {
  const who = affiliate === null ? mono(`@${statement.handle}`) : written(affiliate.name);
  const { balance } = statement;
  switch (stateOf(statement)) {
    case 'to_pay':
      return html`${who} is owed ${amountOf(statement, balance)}.`;
    case 'paid':
      return html`${who} was paid ${amountOf(statement, balance)}.`;
    case 'carried':
      return html`${amountOf(statement, balance)} is carried to the next statement.`;
    case 'settled':
      return html`Nothing is owed.`;
  }
}

/** The facts of a statement, and where to pay. */
export function statementFacts({
  statement,
  affiliate,
}: StatementShown): readonly (readonly [name: string, value: Html | string])[] {
  const { id, opening, total, balance, closedAt, by, paid } = statement;
  const payTo = affiliate?.payTo ?? null;
  return [
    ['Carried over', amountOf(statement, opening)],
    ['Earned', amountOf(statement, total)],
    ['Balance', html`<strong>${amountOf(statement, balance)}</strong>`],
    ['Pay to', payTo === null ? 'Not said' : written(payTo)],
    ...(paid === null
      ? []
      : [['Paid', html`${instantText(paid.at)} by ${written(paid.method)}, ${written(paid.reference)}`] as const]),
    ['Closed', html`${instantText(closedAt)} by ${mono(by)}`],
    ['Id', mono(id)],
  ];
}

function lineTable(statement: Statement, lines: readonly ShownLine[], view: PageView): Html {
  return table(
    'Lines, by sale',
    [
      { heading: 'Sale', cell: (line) => saleCell(view, line) },
      {
        heading: 'Since',
        isMuted: true,
        cell: ({ of }) => (of === null ? html`–` : datedCell(of.attributedAt, view.now)),
      },
      { heading: 'Stated before', atEnd: true, isMuted: true, cell: ({ from }) => html`${amountOf(statement, from)}` },
      { heading: 'Due now', atEnd: true, cell: ({ to }) => html`${amountOf(statement, to)}` },
      {
        heading: 'Amount',
        atEnd: true,
        cell: ({ amount }) => html`<strong>${amountOf(statement, amount)}</strong>`,
      },
    ],
    lines,
  );
}

/** Operators may know the entitlement, which no statement names. */
function saleCell(view: PageView, { sale, of }: ShownLine): Html {
  if (of === null) return mono(sale);
  const link = linkFor(view, 'admin:read', entitlementPath(of.entitlementId), { text: sale, style: 'row mono' });
  return html`${link}<span class="sub">${shortTermsText(of.terms)}</span>`;
}
