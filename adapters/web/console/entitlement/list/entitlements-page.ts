import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import { defaultPageSize, type Page } from '../../../../../core/paging/page.ts';
import type { Product } from '../../../../../core/product/products.port.ts';
import { html, type Html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons.ts';
import { relativeText, shortFullDayText, timeElement } from '../../display/dates.ts';
import { headedPage } from '../../display/headed-page.ts';
import { pageLinks } from '../../display/paging.ts';
import { written } from '../../display/parts.ts';
import { table } from '../../display/table.ts';
import type { PageContent } from '../../display/view.ts';
import { fieldList, type Mistakes } from '../../form/fields.ts';
import { typedIn } from '../../form/form-reading.ts';
import { entitlementPath, listPath } from '../state/names.ts';
import { entitlementBadges } from '../state/state-badge.ts';
import { tierElement } from '../state/terms.ts';
import { emptyEntitlements } from './empty-entitlements.ts';
import { filterFields } from './entitlement-filter.ts';

/** What the list shows. */
export interface EntitlementList {
  /** Null if the filter could not be read. */
  readonly page: Page<FullSnapshot> | null;
  readonly after: string | null;
  /** What it was filtered by. */
  readonly filter: URLSearchParams;
  readonly mistakes: Mistakes;
  readonly products: readonly Product[];
  readonly mayGrant: boolean;
}

/** The page of all entitlements. */
export function entitlementsPage(list: EntitlementList, now: Date): PageContent {
  const { filter, mistakes, products, mayGrant, page } = list;
  const fields = filterFields(products, filter.get('product') ?? '');
  const grant = html`<div class="buttons">
    <a class="button primary" href="${listPath}/grant">${icon('add')}Grant</a>
  </div>`;
  return headedPage(
    { title: 'Entitlements', beside: mayGrant ? grant : null },
    html`<details class="more fold" ${mistakes.size > 0 || filter.size > 0 ? html` open` : null}>
        <summary>${icon('filter')}Filter</summary>
        <form class="toolbar" method="get" action="${listPath}">
          ${fieldList(fields, typedIn(filter, mistakes))}
          <div class="buttons"><button class="button">Filter</button></div>
        </form>
      </details>
      ${page === null ? null : listOrEmpty(page, list, now)}`,
  );
}

function listOrEmpty({ items, next }: Page<FullSnapshot>, list: EntitlementList, now: Date): Html {
  const { filter, products, mayGrant, after } = list;
  if (items.length === 0 && next === null) return emptyEntitlements(filter, products, mayGrant);
  return html`<section class="section">
    ${
      items.length === 0
        ? html`<p class="muted">Nothing on this page. The filter goes on with the next one.</p>`
        : entitlementTable(items, products, now)
    }
    ${pageLinks(listPath, filter, after, next)}
    <p class="muted small">${defaultPageSize} on a page, in the order of their ids</p>
  </section>`;
}

function entitlementTable(items: readonly FullSnapshot[], products: readonly Product[], now: Date): Html {
  const names = new Map(products.map(({ id, name }) => [id, name]));
  return table(
    'Entitlements, by id',
    [
      { heading: 'Entitlement', cell: idCell },
      {
        heading: 'Product',
        cell: (item) =>
          html`${written(names.get(item.productId) ?? item.productId)}<span class="sub">${tierElement(item)}</span>`,
      },
      { heading: 'State', cell: (item) => entitlementBadges(item, now) },
      { heading: 'Renews or ends', cell: (item) => endCell(item, now) },
    ],
    items,
  );
}

function idCell({ id, reference }: FullSnapshot): Html {
  const below = reference === null ? null : html`<span class="sub mono" dir="auto">${reference}</span>`;
  return html`<a class="row mono" href="${entitlementPath(id)}">${id}</a>${below}`;
}

function endCell(entitlement: FullSnapshot, now: Date): Html {
  const { endedAt, currentPeriodEnd, accessEndsAt, cancelAt, status, graceUntil } = entitlement;
  if (endedAt !== null) return dated('Ended', endedAt, now);
  if (accessEndsAt !== null) return dated('Ends', accessEndsAt, now);
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
