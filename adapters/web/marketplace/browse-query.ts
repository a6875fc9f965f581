import {
  listingDefaults,
  readListingQuery,
  type ListingParameter,
  type ListingQuery,
} from '../../../core/catalog/listing-query.ts';

/** Listings on a page. */
const pageSize = listingDefaults.limit;

const maxTextLength = 200;

/** The query in the address of the marketplace. */
export interface Browse {
  readonly query: ListingQuery;
  /** The search as it was typed; empty for none. */
  readonly search: string;
  /** The category as it was written; null for all. */
  readonly category: string | null;
  /** Whether a filter applies. */
  readonly hasFilters: boolean;
  /** Whether a search or a filter applies. */
  readonly isFiltered: boolean;
  /** Whether the listings stand in another order than by default. */
  readonly isSorted: boolean;
}

/** Reads the query of an address. Empty parameters, as forms send them, count as left out. The size of a page is fixed. */
export function readBrowse(text: string): Browse {
  const parameters = new URLSearchParams(`?${text}`);
  const given = (name: ListingParameter): string | null => {
    const value = parameters.get(name)?.trim() ?? '';
    return value === '' || name === 'limit' ? null : firstCharacters(value);
  };
  const query = readListingQuery(given);
  const hasFilters =
    query.category !== null ||
    query.compensation !== listingDefaults.compensation ||
    query.minCommission !== null ||
    query.minStorefronts !== null;
  return {
    query,
    search: query.terms.length === 0 ? '' : (given('q') ?? ''),
    category: given('category'),
    hasFilters,
    isFiltered: query.terms.length > 0 || hasFilters,
    isSorted: query.sort !== listingDefaults.sort,
  };
}

/** Writes the address of a query from a given offset on. Defaults are left out, so that equal queries have equal addresses. */
export function addressOf({ query, search, category }: Browse, offset: number = query.offset): string {
  const parameters = new URLSearchParams();
  const add = (name: ListingParameter, value: string | number | null, otherwise: string | number | null): void => {
    if (value !== otherwise && value !== null) parameters.set(name, String(value));
  };
  add('q', search, '');
  add('category', category, null);
  add('compensation', query.compensation, listingDefaults.compensation);
  add('minCommission', query.minCommission, null);
  add('minStorefronts', query.minStorefronts, null);
  add('sort', query.sort, listingDefaults.sort);
  add('offset', offset, 0);
  const text = parameters.toString();
  return text === '' ? '/' : `/?${text}`;
}

/** The address of the listings of one category. */
export function addressOfCategory(category: string): string {
  return `/?${new URLSearchParams({ category }).toString()}`;
}

/** The offsets of the pages before and after; null where there is no such page. */
export function neighborsOf({ offset, total }: { readonly offset: number; readonly total: number }): {
  readonly previous: number | null;
  readonly next: number | null;
} {
  const last = Math.max(0, Math.floor((total - 1) / pageSize) * pageSize);
  return {
    previous: offset > 0 ? Math.min(last, Math.max(0, offset - pageSize)) : null,
    next: offset + pageSize < total ? offset + pageSize : null,
  };
}

/** The position of a page among all, counted from one. */
export function pageNumbersOf({ offset, total }: { readonly offset: number; readonly total: number }): {
  readonly page: number;
  readonly pages: number;
} {
  return { page: Math.floor(offset / pageSize) + 1, pages: Math.max(1, Math.ceil(total / pageSize)) };
}

function firstCharacters(text: string): string {
  return text.length <= maxTextLength ? text : [...text].slice(0, maxTextLength).join('');
}
