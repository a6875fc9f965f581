import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import { defaultPageSize, type Page } from '../../../../../core/paging/page.ts';
import type { Product } from '../../../../../core/product/products.port.ts';
import { html, type Html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons.ts';
import { table } from '../../../markup/table.ts';
import { datedCell } from '../../display/dates.ts';
import { pageLinks } from '../../display/paging.ts';
import { mono, note, written } from '../../display/parts.ts';
import type { PageContent, PageView } from '../../display/view.ts';
import { proposals, type Mistakes } from '../../form/fields.ts';
import { typedIn } from '../../form/form-reading.ts';
import { foldedFilter, listHref, listPage, sizeText, viewsOf } from '../../list/list-page.ts';
import { entitlementPath, listPath } from '../../state/names.ts';
import { entitlementBadges } from '../../state/state-badge.ts';
import { tierElement } from '../../state/terms.ts';
import { tierList } from '../actions/change-fields.ts';
import { emptyEntitlements } from './empty-entitlements.ts';
import { filterFields, states } from './entitlement-filter.ts';

/** The content of the list. */
export interface EntitlementList {
  /** Null if the filter could not be read. */
  readonly page: Page<FullSnapshot> | null;
  readonly after: string | null;
  /** The filter of the list. */
  readonly filter: URLSearchParams;
  readonly mistakes: Mistakes;
  readonly products: readonly Product[];
  readonly tiers: readonly string[];
  /** The number of entitlements, up to `countedItems`; null where the filter is more than a product. */
  readonly size: number | null;
}

/** The page of all entitlements. */
export function entitlementsPage(list: EntitlementList, view: PageView): PageContent {
  const { filter, mistakes, page, after, size } = list;
  const grant = html`<div class="buttons">
    <a class="button primary" href="${listPath}/grant">${icon('add')}Grant</a>
  </div>`;
  const isEmpty = page?.items.length === 0 && page.next === null;
  const wrongState = mistakes.get('status');
  return listPage({
    title: 'Entitlements',
    number: size === null || size === 0 ? null : sizeText(size),
    beside: view.may('admin:entitlements') ? grant : null,
    done: wrongState === undefined ? null : note('bad', wrongState, null),
    views: { label: 'State', items: viewsOf(listPath, filter, 'status', states) },
    filter: filterPart(list),
    content: page === null ? html`` : listOrEmpty(page, list, view),
    foot: page === null || isEmpty ? null : `Newest first. ${defaultPageSize} on a page.`,
    pages: page === null ? null : pageLinks(listPath, filter, after, page.next, 'buttons'),
  });
}

function filterPart({ filter, mistakes, products, tiers }: EntitlementList): Html {
  const status = filter.get('status');
  const onlyState = new URLSearchParams(status === null ? {} : { status });
  return html`${foldedFilter({
    path: listPath,
    fields: filterFields(products, filter.get('product') ?? ''),
    state: typedIn(filter, mistakes),
    kept: { status },
    button: 'Filter',
    clear: filter.size > onlyState.size ? listHref(listPath, onlyState) : null,
  })}
  ${proposals(tierList, tiers)}`;
}

function listOrEmpty({ items, next }: Page<FullSnapshot>, list: EntitlementList, view: PageView): Html {
  const { filter, products } = list;
  if (items.length > 0) return entitlementTable(items, products, view.now);
  if (next === null) return emptyEntitlements(filter, products, view);
  return html`<p class="muted">Nothing on this page. The filter goes on with the next one.</p>`;
}

function entitlementTable(items: readonly FullSnapshot[], products: readonly Product[], now: Date): Html {
  const names = new Map(products.map(({ id, name }) => [id, name]));
  return table(
    'Entitlements, the newest first',
    [
      { heading: 'Entitlement', cell: idCell },
      {
        heading: 'Product',
        cell: (item) =>
          html`${written(names.get(item.productId) ?? item.productId)}<span class="sub">${tierElement(item)}</span>`,
      },
      { heading: 'Key', style: 'key', cell: keyCell },
      { heading: 'State', cell: (item) => entitlementBadges(item, now) },
      { heading: 'Renews or ends', label: 'Ends', style: 'num', cell: (item) => endCell(item, now) },
      { heading: 'Granted', style: 'num', cell: ({ createdAt }) => datedCell(createdAt, now) },
    ],
    items,
  );
}

function idCell({ id, reference }: FullSnapshot): Html {
  const below = reference === null ? null : html`<span class="sub mono" dir="auto">${reference}</span>`;
  return html`<a class="row mono" href="${entitlementPath(id)}">${id}</a>${below}`;
}

/** The end of the license key; a short one of another system shows none. */
function keyCell({ license }: FullSnapshot): Html {
  if (license === null) return html`<span class="muted">None</span>`;
  return license.lastFour === null ? html`<span class="muted">Not shown</span>` : mono(license.lastFour);
}

/** When it renews or ends. */
export function endCell(entitlement: FullSnapshot, now: Date): Html {
  const { endedAt, currentPeriodEnd, accessEndsAt, cancelAt, status, graceUntil } = entitlement;
  if (endedAt !== null) return datedCell(endedAt, now, 'Ended');
  if (accessEndsAt !== null) return datedCell(accessEndsAt, now, 'Ends');
  if (currentPeriodEnd === null) return html`Never<span class="sub">one-time purchase</span>`;
  if (cancelAt !== null) return datedCell(cancelAt, now, 'Ends');
  if ((status === 'past_due' || currentPeriodEnd <= now) && graceUntil !== null) {
    return datedCell(graceUntil, now, status === 'past_due' ? 'Access until' : 'Ends');
  }
  return datedCell(currentPeriodEnd, now, 'Renews');
}
