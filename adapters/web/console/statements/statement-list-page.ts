import type { Statement } from '../../../../core/affiliate/statement/statement.ts';
import { defaultPageSize, type Page } from '../../../../core/paging/page.ts';
import { monthText, statementBadge } from '../../affiliates/statement-texts.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { datedCell } from '../display/dates.ts';
import { headedPage } from '../display/headed-page.ts';
import { pageLinks } from '../display/paging.ts';
import { empty, mono } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import type { FormState } from '../form/fields.ts';
import { filterForm, listHref, listPage, viewsOf } from '../list/list-page.ts';
import { amountOf, closePath, statementPath, statementsPath } from './statement-parts.ts';

/** A part of the list of statements. */
export interface StatementListPart {
  readonly page: Page<Statement>;
  readonly after: string | null;
  /** The filter as it is in the query. */
  readonly filter: URLSearchParams;
  readonly fields: FormState;
  readonly done: Html | null;
}

const states = [
  [null, 'All'],
  ['to_pay', 'To pay'],
  ['paid', 'Paid'],
  ['carried', 'Carried over'],
] as const;

const filterFields = [
  { name: 'month', label: 'Month' },
  { name: 'product', label: 'Product' },
  { name: 'handle', label: 'Handle' },
];

export function statementListPage(view: PageView, part: StatementListPart): PageContent {
  const { page, after, filter, fields, done } = part;
  const { items, next } = page;
  if (items.length === 0 && after === null && filter.size === 0) return emptyPage(view);
  const state = filter.get('state');
  const onlyState = new URLSearchParams(state === null ? {} : { state });
  return listPage({
    title: 'Statements',
    number: null,
    done,
    beside: closeButton(),
    views: { label: 'State', items: viewsOf(statementsPath, filter, 'state', states) },
    filter: filterForm({
      path: statementsPath,
      fields: filterFields,
      state: fields,
      kept: { state },
      button: 'Filter',
      clear: filter.size === onlyState.size ? null : listHref(statementsPath, onlyState),
    }),
    content:
      items.length === 0 ? html`<p class="muted">No statement matches all of it.</p>` : statementTable(items, view.now),
    foot: `The newest month first. ${defaultPageSize} on a page.`,
    pages: pageLinks(statementsPath, filter, after, next, 'buttons'),
  });
}

function closeButton(): Html {
  return html`<div class="buttons"><a class="button primary" href="${closePath}">Close a month</a></div>`;
}

function emptyPage(view: PageView): PageContent {
  return headedPage(
    { title: 'Statements' },
    empty(view, 'card', 'No statement yet', 'A statement is what an affiliate is owed for a product and a month.', {
      link: { href: closePath, text: 'Close a month' },
      command: 'latchkey statement close --month 2026-11',
    }),
  );
}

function statementTable(statements: readonly Statement[], now: Date): Html {
  return table(
    'Statements, the newest month first',
    [
      {
        heading: 'Affiliate',
        cell: ({ id, handle }) => html`<a class="row mono" href="${statementPath(id)}">@${handle}</a>`,
      },
      { heading: 'Product', cell: ({ productId }) => mono(productId) },
      { heading: 'Month', cell: ({ month }) => html`${monthText(month)}` },
      {
        heading: 'Balance',
        atEnd: true,
        cell: (statement) => html`<strong>${amountOf(statement, statement.balance)}</strong>`,
      },
      { heading: 'State', cell: statementBadge },
      { heading: 'Closed', isMuted: true, cell: ({ closedAt }) => datedCell(closedAt, now) },
    ],
    statements,
  );
}
