import type { Listing } from '../../../../core/catalog/listing.ts';
import { html, type Html } from '../../markup/html.ts';
import { headedPage } from '../display/headed-page.ts';
import { pageLinks } from '../display/paging.ts';
import { empty, written } from '../display/parts.ts';
import { table } from '../display/table.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { listingPath, listingsPath, listingStateBadge } from './listing-state.ts';

export const addListingPath = `${listingsPath}/add`;
export const importListingsPath = `${listingsPath}/import`;

/** What the list says after a change. */
export const listingListDone = { delete: 'The listing was deleted.' };

export interface ListingListPart {
  readonly items: readonly Listing[];
  readonly after: string | null;
  readonly next: string | null;
}

/** The list of listings in every state. */
export function listingListPage(
  { may }: PageView,
  { items, after, next }: ListingListPart,
  done: Html | null,
): PageContent {
  const mayChange = may('admin:catalog');
  const isEmpty = items.length === 0 && after === null;
  return headedPage(
    { title: 'Listings', beside: mayChange ? buttons(isEmpty) : null },
    html`${done}
    ${
      isEmpty
        ? empty(
            'listings',
            'No listing yet',
            'A listing shows a product in the marketplace, with what it pays those who recommend it.',
            {
              link: mayChange ? { href: addListingPath, text: 'Add listing' } : null,
              command: 'latchkey listing import catalog.csv',
            },
          )
        : html`${listingTable(items)} ${pageLinks(listingsPath, new URLSearchParams(), after, next)}`
    }`,
  );
}

function buttons(isEmpty: boolean): Html {
  return html`<div class="buttons">
    <a class="button" href="${importListingsPath}">Import a CSV</a
    >${isEmpty ? null : html`<a class="button primary" href="${addListingPath}">Add listing</a>`}
  </div>`;
}

function listingTable(items: readonly Listing[]): Html {
  return table(
    'Listings, by slug',
    [
      {
        heading: 'Listing',
        cell: ({ slug, name }) =>
          html`<a class="row" href="${listingPath(slug)}">${written(name)}</a><span class="sub mono">${slug}</span>`,
      },
      { heading: 'State', cell: listingStateBadge },
      { heading: 'Category', cell: ({ category }) => written(category) },
      { heading: 'Pays', cell: ({ compensationLabel }) => written(compensationLabel) },
    ],
    items,
  );
}
