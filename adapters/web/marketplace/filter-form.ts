import {
  compensationFilters,
  listingSorts,
  minCommissions,
  minStorefrontCounts,
  type ListingParameter,
} from '../../../core/catalog/listing-query.ts';
import { foldCase } from '../../../core/catalog/search-text.ts';
import { html, type Html } from '../markup/html.ts';
import { icon } from '../markup/icons.ts';
import type { Layout } from '../markup/layout.ts';
import type { Browse } from './browse-query.ts';
import { compensationFilterTexts, sortTexts } from './texts.ts';

/** More would make the page too large; the others are found by search and by the links of listings. */
const maxCategories = 200;

type Option = readonly [value: string, text: string];

/** The fold with the form that filters and sorts. It sends the parameters of the API, and keeps the search. */
export function filterForm(browse: Browse, categories: readonly string[], layout: Layout): Html {
  const { query, search, hasFilters, isSorted } = browse;
  const shown = categories.slice(0, maxCategories);
  const category = spelledAsIn(shown, browse.category);
  return html`<details class="more" ${hasFilters || isSorted ? html` open` : null}>
    <summary>${icon('filter')}Filter and sort</summary>
    <form class="filters" action="${layout.href('/')}" method="get">
      ${search === '' ? null : html`<input type="hidden" name="q" value="${search}" />`}
      ${select('category', 'Category', categoryOptions(shown, category), category)}
      ${select(
        'compensation',
        'Compensation',
        compensationFilters.map((value) => [value === 'all' ? '' : value, compensationFilterTexts[value]]),
        query.compensation === 'all' ? '' : query.compensation,
      )}
      ${select('minCommission', 'Minimum commission', [['', 'Any'], ...minCommissions.map((value): Option => [String(value), `${value}% or more`])], String(query.minCommission ?? ''))}
      ${select('minStorefronts', 'Minimum storefronts', [['', 'Any'], ...minStorefrontCounts.map((value): Option => [String(value), `${value} or more`])], String(query.minStorefronts ?? ''))}
      ${select(
        'sort',
        'Sort by',
        listingSorts.map((value, index) => [index === 0 ? '' : value, sortTexts[value]]),
        query.sort === listingSorts[0] ? '' : query.sort,
      )}
      <button class="button">Show</button>
    </form>
  </details>`;
}

function categoryOptions(shown: readonly string[], chosen: string): readonly Option[] {
  const others = chosen === '' || shown.includes(chosen) ? [] : [chosen];
  return [['', 'All categories'], ...[...others, ...shown].map((each): Option => [each, each])];
}

/** The category in the spelling of the catalog, if it has it; empty for all. */
function spelledAsIn(categories: readonly string[], category: string | null): string {
  if (category === null) return '';
  const folded = foldCase(category);
  return categories.find((each) => foldCase(each) === folded) ?? category;
}

function select(name: ListingParameter, label: string, options: readonly Option[], chosen: string): Html {
  const items = options.map(
    ([value, text]) => html`<option value="${value}" ${value === chosen ? html` selected` : null}>${text}</option>`,
  );
  return html`<div class="field">
    <label for="${name}">${label}</label
    ><select id="${name}" name="${name}">
      ${items}
    </select>
  </div>`;
}
