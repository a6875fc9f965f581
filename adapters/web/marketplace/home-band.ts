import type { CategoryCount } from '../../../core/catalog/listing-page.ts';
import type { ListingParameter } from '../../../core/catalog/listing-query.ts';
import { foldCase } from '../../../core/catalog/search-text.ts';
import { countOf, numberText } from '../markup/figures.ts';
import { html, type Html } from '../markup/html.ts';
import { icon } from '../markup/icons.ts';
import type { Layout } from '../markup/layout.ts';
import { addressOfCategory, type Browse } from './browse-query.ts';

/** Categories that have a link of their own. The filters have the others. */
const maxKinds = 7;

/** The searched listings: their number, and their categories, the largest first. */
export interface Searched {
  readonly listed: number;
  readonly categories: readonly CategoryCount[];
}

/** The band at the head of the marketplace. Null searches nothing. */
export function homeBand(browse: Browse, searched: Searched | null, layout: Layout): Html {
  const { heading, tagline } = layout.site;
  return html`<div class="hero home">
    <div class="wrap">
      <div class="head">
        <div>
          <h1 dir="auto">${heading}</h1>
          <p dir="auto">${tagline}</p>
        </div>
        ${searched === null ? null : searchForm(browse, searched.listed, layout)}
      </div>
      ${searched === null ? null : kinds(browse, searched, layout)}
    </div>
  </div>`;
}

/** The form that searches. It keeps the filters and the order of the page. */
function searchForm(browse: Browse, listed: number, layout: Layout): Html {
  return html`<form class="search" role="search" action="${layout.href('/')}" method="get">
    <div class="line">
      <div class="with-icon">
        ${icon('search')}<label class="hidden" for="q">Search listings</label
        ><input
          id="q"
          name="q"
          type="search"
          value="${browse.search}"
          placeholder="Search ${countOf(listed, 'product')}"
          dir="auto"
          maxlength="200"
          autocomplete="off"
        />
      </div>
      <button class="button primary">Search</button>
    </div>
    ${keptFilters(browse)}
  </form>`;
}

function keptFilters({ query, category, hasFilters, isSorted }: Browse): Html | null {
  if (!hasFilters && !isSorted) return null;
  const { compensation, minCommission, minStorefronts, sort } = query;
  const values: readonly (readonly [ListingParameter, string | number | null])[] = [
    ['category', category],
    ['compensation', compensation],
    ['minCommission', minCommission],
    ['minStorefronts', minStorefronts],
    ['sort', sort],
  ];
  return html`${values.map(([name, value]) =>
    value === null ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`;
}

/** Links to the largest categories, with the numbers of their listings. */
function kinds({ query, isFiltered }: Browse, { listed, categories }: Searched, layout: Layout): Html {
  const shown = categories.slice(0, maxKinds);
  const more = categories.length - shown.length;
  const link = (address: string, text: Html, count: number, isCurrent: boolean): Html =>
    html`<a href="${layout.href(address)}" ${isCurrent ? html` aria-current="page"` : null}
      >${text} <span class="num">${numberText(count)}</span></a
    >`;
  return html`<nav class="kinds" aria-label="Categories">
    ${link('/', html`All`, listed, !isFiltered)}${shown.map(({ name, count }) =>
      link(addressOfCategory(name), html`<bdi>${name}</bdi>`, count, query.category === foldCase(name)),
    )}${more === 0 ? null : html`<a href="#category">${numberText(more)} more</a>`}
  </nav>`;
}
