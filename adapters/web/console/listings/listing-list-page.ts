import type { Listing } from '../../../../core/catalog/listing.ts';
import { defaultPageSize, type Page } from '../../../../core/paging/page.ts';
import { countOf, numberText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { datedCell } from '../display/dates.ts';
import { headedPage } from '../display/headed-page.ts';
import { pageLinks } from '../display/paging.ts';
import { empty, written } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import type { Mistakes } from '../form/fields.ts';
import { proposed } from '../form/form-reading.ts';
import { filterForm, listHref, listPage, sizeText, viewsOf } from '../list/list-page.ts';
import { filterFields, spelled } from './listing-filter.ts';
import { listingPath, listingsPath, listingStateBadge, maySave } from './listing-state.ts';

export const addListingPath = `${listingsPath}/add`;
export const importListingsPath = `${listingsPath}/import`;

/** The texts of the list after a change. */
export const listingListDone = { delete: 'The listing was deleted.' };

export interface ListingListPart {
  /** Null if the filter could not be read. */
  readonly page: Page<Listing> | null;
  readonly after: string | null;
  /** The filter of the list. */
  readonly filter: URLSearchParams;
  readonly mistakes: Mistakes;
  readonly categories: readonly string[];
  /** The number of listings, up to `countedItems`. */
  readonly size: number;
}

/** The list of listings in every state. */
export function listingListPage(view: PageView, part: ListingListPart, done: Html | null): PageContent {
  const { page, after, filter, size } = part;
  const isFiltered = filter.size > 0;
  if (page?.items.length === 0 && after === null && !isFiltered) return emptyPage(view, done);
  const isWhole = page !== null && after === null && page.next === null;
  const found = isWhole ? `${numberText(page.items.length)} of ${sizeText(size)}` : null;
  return listPage({
    title: 'Listings',
    number: isFiltered ? found : sizeText(size),
    beside: buttons(view, false),
    done,
    views: { label: 'State', items: viewsOf(listingsPath, filter, 'state', states) },
    filter: searchForm(part),
    content: page === null ? html`` : listingsOrNone(page, view.now),
    foot: page === null ? null : footText(page, filter, isWhole),
    pages: page === null ? null : pageLinks(listingsPath, filter, after, page.next, 'buttons'),
  });
}

const states = [
  [null, 'All'],
  ['live', 'Live'],
  ['draft', 'Drafts'],
  ['paused', 'Paused'],
] as const;

function emptyPage(view: PageView, done: Html | null): PageContent {
  return headedPage(
    { title: 'Listings', beside: buttons(view, true) },
    html`${done}
    ${empty(
      view,
      'listings',
      'No listing yet',
      'A listing shows a product in the marketplace, with what it pays those who recommend it.',
      {
        link: maySave(view, null) ? { href: addListingPath, text: 'Add listing' } : null,
        command: 'latchkey listing import catalog.csv',
      },
    )}`,
  );
}

function searchForm({ filter, mistakes, categories }: ListingListPart): Html {
  const state = filter.get('state');
  const category = spelled(filter.get('category') ?? '', categories);
  const isSearched = filter.has('q') || filter.has('category');
  const onlyState = new URLSearchParams(state === null ? {} : { state });
  return filterForm({
    path: listingsPath,
    fields: filterFields(categories, category),
    state: { ...proposed({ q: filter.get('q') ?? '', category }), mistakes },
    kept: { state },
    button: 'Search',
    clear: isSearched ? listHref(listingsPath, onlyState) : null,
  });
}

function listingsOrNone({ items, next }: Page<Listing>, now: Date): Html {
  if (items.length > 0) return listingTable(items, now);
  return next === null
    ? html`<p class="muted">No listing matches all of it.</p>`
    : html`<p class="muted">Nothing on this page. The search goes on with the next one.</p>`;
}

/** The order and, of a search that one page holds, how many it has found. */
function footText({ items }: Page<Listing>, filter: URLSearchParams, isWhole: boolean): Html {
  const search = filter.get('q');
  if (search === null || !isWhole) return html`By slug. ${defaultPageSize} on a page.`;
  return html`By slug. ${countOf(items.length, 'listing')} ${items.length === 1 ? 'matches' : 'match'}
  “${written(search)}”.`;
}

function buttons(view: PageView, isEmpty: boolean): Html | null {
  const toImport = view.may('admin:catalog')
    ? html`<a class="button" href="${importListingsPath}">Import a CSV</a>`
    : null;
  const add =
    maySave(view, null) && !isEmpty ? html`<a class="button primary" href="${addListingPath}">Add listing</a>` : null;
  return toImport === null && add === null ? null : html`<div class="buttons">${toImport}${add}</div>`;
}

function listingTable(items: readonly Listing[], now: Date): Html {
  return table(
    'Listings, by slug',
    [
      {
        heading: 'Listing',
        cell: ({ slug, name }) =>
          html`<a class="row" href="${listingPath(slug)}">${written(name)}</a><span class="sub mono">${slug}</span>`,
      },
      { heading: 'State', cell: stateCell },
      { heading: 'Category', cell: ({ category }) => written(category) },
      { heading: 'Pays', cell: ({ compensationLabel }) => written(compensationLabel) },
      { heading: 'Published', style: 'num', cell: (listing) => publishedCell(listing, now) },
    ],
    items,
  );
}

function stateCell(listing: Listing): Html {
  const badge = listingStateBadge(listing);
  return listing.featured ? html`${badge} <span class="badge plain brand">Featured</span>` : badge;
}

function publishedCell({ state, publishedAt }: Listing, now: Date): Html {
  return state === 'draft' ? html`<span class="muted">Not yet</span>` : datedCell(publishedAt, now);
}
