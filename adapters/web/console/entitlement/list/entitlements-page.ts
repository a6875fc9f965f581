import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import { defaultPageSize, type Page } from '../../../../../core/paging/page.ts';
import { html, type Html } from '../../../markup/html.ts';
import { relativeText, shortFullDayText, timeElement } from '../../display/dates.ts';
import { fieldList } from '../../display/form-fields.ts';
import { icon } from '../../display/icons.ts';
import { written } from '../../display/parts.ts';
import type { PageContent } from '../../display/view.ts';
import { entitlementPath, listPath } from '../state/names.ts';
import { entitlementBadges } from '../state/state-badge.ts';
import { tierElement } from '../state/terms.ts';
import { emptyEntitlements } from './empty-entitlements.ts';
import { filterFields, filterQuery } from './entitlement-filter.ts';
import type { EntitlementList } from './entitlement-list.ts';

/** The page of all entitlements. */
export function entitlementsPage(list: EntitlementList, now: Date): PageContent {
  const { form, products, mayGrant, page } = list;
  const isFiltered = filterQuery(form, null) !== '';
  const main = html`<div class="page">
    <div class="title">
      <div class="line">
        <h1>Entitlements</h1>
        ${
          mayGrant
            ? html`<div class="buttons">
                <a class="button primary" href="${listPath}/grant">${icon('add')}Grant</a>
              </div>`
            : null
        }
      </div>
    </div>
    <details class="more fold" ${form.mistakes.length > 0 || isFiltered ? html` open` : null}>
      <summary>${icon('filter')}Filter</summary>
      <form class="toolbar" method="get" action="${listPath}">
        ${fieldList(filterFields(products, form), form)}
        <div class="buttons"><button class="button">Filter</button></div>
      </form>
    </details>
    ${page === null ? null : listOrEmpty(page, list, now)}
  </div>`;
  return { title: 'Entitlements', main };
}

function listOrEmpty(page: Page<FullSnapshot>, list: EntitlementList, now: Date): Html {
  if (page.items.length === 0 && page.next === null) return emptyEntitlements(list);
  const names = new Map(list.products.map(({ id, name }) => [id, name]));
  const next = page.next === null ? null : listPath + filterQuery(list.form, page.next);
  return html`<section class="section">
    ${page.items.length === 0 ? html`<p class="muted">Nothing on this page. The filter goes on with the next one.</p>` : table(page.items, names, now)}
    <nav class="buttons" aria-label="Pages">
      <a class="button" href="${listPath + filterQuery(list.form, null)}">First page</a
      >${next === null ? null : html`<a class="button" rel="next" href="${next}">Next page</a>`}<span
        class="muted small"
        >${defaultPageSize} on a page, in the order of their ids</span
      >
    </nav>
  </section>`;
}

function table(items: readonly FullSnapshot[], names: ReadonlyMap<string, string>, now: Date): Html {
  return html`<table class="table" role="table">
    <caption class="hidden">
      Entitlements, by id
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">Entitlement</th>
        <th role="columnheader" scope="col">Product</th>
        <th role="columnheader" scope="col">State</th>
        <th role="columnheader" scope="col">Renews or ends</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${items.map((item) => row(item, names.get(item.productId) ?? item.productId, now))}
    </tbody>
  </table>`;
}

function row(entitlement: FullSnapshot, productName: string, now: Date): Html {
  const { id, reference } = entitlement;
  const productCell = html`${written(productName)}<span class="sub">${tierElement(entitlement)}</span>`;
  return html`<tr role="row">
    <td role="cell">
      <a class="row mono" href="${entitlementPath(id)}">${id}</a
      >${reference === null ? null : html`<span class="sub mono" dir="auto">${reference}</span>`}
    </td>
    <td role="cell" data-label="Product">${productCell}</td>
    <td role="cell" data-label="State">${entitlementBadges(entitlement, now)}</td>
    <td role="cell" data-label="Ends" class="num">${endCell(entitlement, now)}</td>
  </tr>`;
}

function endCell(entitlement: FullSnapshot, now: Date): Html {
  const { endedAt, currentPeriodEnd, cancelAt, status, graceUntil } = entitlement;
  if (endedAt !== null) return dated('Ended', endedAt, now);
  if (currentPeriodEnd === null) return html`Never<span class="sub">one-time purchase</span>`;
  if (cancelAt !== null) return dated('Ends', cancelAt, now);
  if ((status === 'past_due' || currentPeriodEnd <= now) && graceUntil !== null) {
    return dated(status === 'past_due' ? 'Access until' : 'Ends', graceUntil, now);
  }
  return dated('Renews', currentPeriodEnd, now);
}

function dated(word: string, at: Date, now: Date): Html {
  return html`${timeElement(at, `${word} ${shortFullDayText(at)}`)}<span class="sub">${relativeText(at, now)}</span>`;
}
