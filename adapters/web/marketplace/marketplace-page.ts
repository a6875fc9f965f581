import type { ListingPage, PageMeta } from '../../../core/catalog/listing-page.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { addressOf, neighborsOf, pageNumbersOf, type Browse } from './browse-query.ts';
import { listingCards, listingPath } from './listing-cards.ts';
import { searchForm } from './search-form.ts';
import { countText, numberText } from './texts.ts';

/**
 * Describes the page of the listings that were found. `script` is the path of the script that makes it quicker to use.
 */
export function marketplacePage(browse: Browse, found: ListingPage, layout: Layout, script: string): Page {
  const { listings, meta, categories } = found;
  const { previous, next } = neighborsOf(meta);
  const { page } = pageNumbersOf(meta);
  const isIndexed = !browse.isFiltered && !browse.isSorted && listings.length > 0;
  const link = (rel: string, offset: number | null): readonly Html[] =>
    offset === null ? [] : [html`<link rel="${rel}" href="${layout.href(addressOf(browse, offset))}" /> `];
  return {
    title: titleOf(browse, page),
    description: `Browse ${countText(meta.total, 'software product')} that pay for every customer you bring. Compare commission, upfront payment and reach.`,
    canonical: isIndexed ? addressOf(browse) : null,
    head: [...link('prev', previous), ...link('next', next)],
    data: isIndexed
      ? [
          {
            '@context': 'https://schema.org',
            '@type': 'ItemList',
            numberOfItems: meta.total,
            itemListElement: listings.map((listing, index) => ({
              '@type': 'ListItem',
              position: meta.offset + index + 1,
              name: listing.name,
              url: layout.url(listingPath(listing)),
            })),
          },
        ]
      : [],
    scripts: [script],
    main: html`<div class="hero">
        <h1>Software worth recommending</h1>
        <p>Find products for your storefront and see what each maker pays for a customer.</p>
      </div>
      ${searchForm(browse, categories, layout)}
      <p id="count" role="status">${countOf(meta, listings.length)}</p>
      <div id="results" tabindex="-1">
        ${listings.length === 0 ? nothingFound(browse, meta, layout) : listingCards(listings, layout)}
        ${pagination(browse, meta, layout)}
      </div>`,
  };
}

function titleOf({ search }: Browse, page: number): string | null {
  const parts = [...(search === '' ? [] : [`“${search}”`]), ...(page === 1 ? [] : [`Page ${page}`])];
  return parts.length === 0 ? null : parts.join(', ');
}

function countOf({ total, offset }: PageMeta, shown: number): string {
  if (total === 0) return 'No listing matches.';
  if (shown === 0) return `${countText(total, 'listing')}, none on this page`;
  return `${numberText(offset + 1)}–${numberText(offset + shown)} of ${countText(total, 'listing')}`;
}

function nothingFound(browse: Browse, { total }: PageMeta, layout: Layout): Html {
  if (total > 0) {
    return html`<p class="empty">
      This page is behind the last listing. <a href="${layout.href(addressOf(browse, 0))}">Go to the first page</a>
    </p>`;
  }
  return browse.isFiltered
    ? html`<p class="empty">Try fewer words or filters. <a href="${layout.href('/')}">Show all listings</a></p>`
    : html`<p class="empty">Nothing is listed yet. <a href="${layout.href('/waitlist')}">Join the waitlist</a></p>`;
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
    ${link('prev', 'Previous', previous)}<span>Page ${numberText(page)} of ${numberText(pages)}</span
    >${link('next', 'Next', next)}
  </nav>`;
}
