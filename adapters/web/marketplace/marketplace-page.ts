import type { CategoryCount, ListingPage, PageMeta } from '../../../core/catalog/listing-page.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { countOf, numberText } from '../markup/figures.ts';
import { html, type Html } from '../markup/html.ts';
import { icon } from '../markup/icons.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { addressOf, neighborsOf, pageNumbersOf, type Browse } from './browse-query.ts';
import { filterForm } from './filter-form.ts';
import { homeBand } from './home-band.ts';
import { listingCards, listingPath } from './listing-cards.ts';

/** Up to this many listings are seen at once, so that there is nothing to search for. */
const maxWithoutSearch = 12;

/** Up to this many are all shown large. */
const maxAllLarge = 4;

/** The parts of the marketplace's page. */
export interface MarketplaceView {
  readonly browse: Browse;
  readonly found: ListingPage;
  /** The number of all live listings, whatever the query. */
  readonly listed: number;
  /** All categories, the largest first. */
  readonly categories: readonly CategoryCount[];
  /** The featured listings that stand before the others; none behind a query, and on later pages. */
  readonly featured: readonly Listing[];
}

/** Describes the page of the listings that were found. `script` is the path of the script that makes it quicker to use. */
export function marketplacePage(view: MarketplaceView, layout: Layout, script: string): Page {
  const { browse, found, listed, categories } = view;
  const { listings, meta } = found;
  const { previous, next } = neighborsOf(meta);
  const isSearchable = listed > maxWithoutSearch;
  const isIndexed = !browse.isFiltered && !browse.isSorted && listings.length > 0;
  const link = (rel: string, offset: number | null): readonly Html[] =>
    offset === null ? [] : [html`<link rel="${rel}" href="${layout.href(addressOf(browse, offset))}" /> `];
  return {
    title: titleOf(browse, pageNumbersOf(meta).page),
    description: layout.site.tagline,
    canonical: isIndexed ? addressOf(browse) : null,
    current: '/',
    head: [...link('prev', previous), ...link('next', next)],
    data: isIndexed ? [itemList(found, layout)] : [],
    scripts: isSearchable ? [script] : [],
    main: html`${homeBand(browse, isSearchable ? { listed, categories } : null, layout)}
      <div class="wrap">${listed === 0 ? emptyCatalog(layout) : shelves(view, layout)}</div>`,
  };
}

function itemList({ listings, meta }: ListingPage, layout: Layout): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    numberOfItems: meta.total,
    itemListElement: listings.map((listing, index) => ({
      '@type': 'ListItem',
      position: meta.offset + index + 1,
      name: listing.name,
      url: layout.url(listingPath(listing)),
    })),
  };
}

function titleOf({ search, category }: Browse, page: number): string | null {
  const parts = [
    ...(search === '' ? [] : [`“${search}”`]),
    ...(category === null ? [] : [category]),
    ...(page === 1 ? [] : [`Page ${page}`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** The featured listings, and the others that were found. */
function shelves(view: MarketplaceView, layout: Layout): Html {
  const { featured, browse, found, listed } = view;
  if (listed <= maxAllLarge && !browse.isFiltered) return fewListings(found.listings, layout);
  const isFeatured = new Set(featured.map(({ id }) => id));
  const others = found.listings.filter(({ id }) => !isFeatured.has(id));
  return html`${
    featured.length === 0
      ? null
      : html`<section class="shelf" aria-labelledby="featured">
          <h2 id="featured" class="hidden">Featured</h2>
          ${listingCards(featured, layout, 'large')}
        </section> `
  }${others.length === 0 && featured.length > 0 ? null : results(view, others, layout)}`;
}

/** So few that each is shown large, the featured ones first, in rows of two. */
function fewListings(listings: readonly Listing[], layout: Layout): Html {
  const inOrder = listings.toSorted((a, b) => Number(b.featured) - Number(a.featured));
  return html`<section class="shelf" aria-labelledby="all">
    <h2 id="all" class="hidden">All products</h2>
    ${listingCards(inOrder, layout, 'large', true)}
  </section>`;
}

function results({ browse, found, listed }: MarketplaceView, others: readonly Listing[], layout: Layout): Html {
  const { listings, meta, categories } = found;
  const isSearchable = listed > maxWithoutSearch;
  const isPart = !isSearchable && meta.total > 0 && meta.total < listed;
  return html`<section class="shelf" aria-labelledby="all">
    <div class="line">
      <h2 id="all">${browse.isFiltered ? 'Products found' : 'All products'}</h2>
      <p id="count" role="status">${resultText(meta, listings.length, listed)}</p>
      ${isPart ? html`<p><a href="${layout.href('/')}">Show all listings</a></p>` : null}
      ${isSearchable ? filterForm(browse, categories, layout) : null}
    </div>
    <div id="results" tabindex="-1">
      ${listings.length === 0 ? nothingFound(browse, meta, layout) : listingCards(others, layout, 'plain')}
      ${pagination(browse, meta, layout)}
    </div>
  </section>`;
}

function resultText({ total, offset }: PageMeta, shown: number, listed: number): string {
  if (total === 0) return 'No listing matches.';
  if (shown === 0) return `${countOf(total, 'listing')}, none on this page`;
  if (listed > maxWithoutSearch) {
    return `${numberText(offset + 1)}–${numberText(offset + shown)} of ${numberText(total)}`;
  }
  return total === listed ? countOf(total, 'listing') : `${numberText(total)} of ${countOf(listed, 'listing')}`;
}

function emptyCatalog(layout: Layout): Html {
  return html`<section class="shelf">
    <div class="empty">
      ${icon('listings')}
      <h2>Nothing is listed yet</h2>
      <p>Join the waitlist, and hear of the first products.</p>
      <div class="buttons"><a class="button primary" href="${layout.href('/waitlist')}">Join the waitlist</a></div>
    </div>
  </section>`;
}

function nothingFound(browse: Browse, { total }: PageMeta, layout: Layout): Html {
  const [advice, path, link] =
    total > 0
      ? (['This page is behind the last listing.', addressOf(browse, 0), 'Go to the first page'] as const)
      : (['Try fewer words or filters.', '/', 'Show all listings'] as const);
  return html`<div class="empty">
    ${icon('search')}
    <p>${advice}</p>
    <div class="buttons"><a class="button" href="${layout.href(path)}">${link}</a></div>
  </div>`;
}

function pagination(browse: Browse, meta: PageMeta, layout: Layout): Html | null {
  const { page, pages } = pageNumbersOf(meta);
  const { previous, next } = neighborsOf(meta);
  if (previous === null && next === null) return null;
  const link = (rel: string, text: string, offset: number | null): Html | null =>
    offset === null
      ? null
      : html`<a class="button" rel="${rel}" href="${layout.href(addressOf(browse, offset))}">${text}</a>`;
  return html`<nav class="pages" aria-label="Pages">
    ${link('prev', 'Previous page', previous)}<span>Page ${numberText(page)} of ${numberText(pages)}</span
    >${link('next', 'Next page', next)}
  </nav>`;
}
