import type { Statement } from '../../../../core/affiliate/statement/statement.ts';
import type { Page } from '../../../../core/paging/page.ts';
import { monthText, statementBadge } from '../../affiliates/statement-texts.ts';
import { numberText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { moneyElement } from '../../markup/money.ts';
import { table } from '../../markup/table.ts';
import { listHref } from '../list/list-page.ts';
import { statementPath, statementsPath } from '../statements/statement-parts.ts';

/** The newest statements on the page of an affiliate. */
export function statementsSection(handle: string, { items, next }: Page<Statement>): Html {
  const all = html`<a class="button" href="${listHref(statementsPath, new URLSearchParams({ handle }))}"
    >All statements</a
  >`;
  return html`<section class="section" aria-labelledby="statements">
    <div class="line">
      <h2 id="statements">Statements</h2>
      ${next === null ? null : all}
    </div>
    ${items.length === 0 ? html`<p class="muted">None yet.</p>` : statementTable(items)}
  </section>`;
}

function statementTable(statements: readonly Statement[]): Html {
  return table(
    'Statements, the newest first',
    [
      {
        heading: 'Month',
        cell: ({ id, month, productId }) =>
          html`<a class="row" href="${statementPath(id)}">${monthText(month)}</a
            ><span class="sub mono">${productId}</span>`,
      },
      { heading: 'Lines', atEnd: true, isMuted: true, cell: ({ lineCount }) => numberText(lineCount) },
      { heading: 'Earned', atEnd: true, cell: ({ total, currency }) => moneyElement(total, currency) },
      {
        heading: 'Balance',
        atEnd: true,
        cell: ({ balance, currency }) => html`<strong>${moneyElement(balance, currency)}</strong>`,
      },
      { heading: 'State', cell: statementBadge },
    ],
    statements,
  );
}
