import { boundedInteger } from '../parsing/value-rule.ts';
import { compensationTypes } from './listing.ts';
import { foldCase, searchTerms } from './search-text.ts';

export const listingSorts = ['charts', 'new', 'reward'] as const;

export type ListingSort = (typeof listingSorts)[number];

export const compensationFilters = ['all', ...compensationTypes] as const;

export type CompensationFilter = (typeof compensationFilters)[number];

/** The minimum commission percents that are honoured. */
export const minCommissions = [20, 30, 50] as const;

/** The minimum storefront counts that are honoured. */
export const minStorefrontCounts = [1, 5, 10] as const;

/** The bounds of a page's size. */
export const listingLimits = { min: 1, max: 48 } as const;

/** The order and the filter of a query that names none. */
export const listingDefaults = { sort: 'charts', compensation: 'all', offset: 0, limit: 24 } as const;

/** A query with its defaults and bounds applied. */
export interface ListingQuery {
  /** Folded search terms. A listing matches if each of them occurs in one of its searched fields. */
  readonly terms: readonly string[];
  readonly sort: ListingSort;
  readonly compensation: CompensationFilter;
  /** Case-folded. */
  readonly category: string | null;
  readonly minCommission: number | null;
  readonly minStorefronts: number | null;
  readonly offset: number;
  readonly limit: number;
}

export type ListingParameter =
  'q' | 'sort' | 'compensation' | 'category' | 'minCommission' | 'minStorefronts' | 'offset' | 'limit';

const offsetBounds = { min: 0, max: 2_147_483_647 } as const;

/** Reads a query from its parameters. No value is an error: one that cannot be honoured is ignored or clamped. */
export function readListingQuery(parameter: (name: ListingParameter) => string | null): ListingQuery {
  return {
    terms: searchTerms(parameter('q') ?? ''),
    sort: oneOf(listingSorts, parameter('sort')) ?? listingDefaults.sort,
    compensation: oneOf(compensationFilters, parameter('compensation')) ?? listingDefaults.compensation,
    category: foldedOrNull(parameter('category')),
    minCommission: oneOf(minCommissions, parameter('minCommission')),
    minStorefronts: oneOf(minStorefrontCounts, parameter('minStorefronts')),
    offset: boundedInteger(parameter('offset'), offsetBounds) ?? listingDefaults.offset,
    limit: boundedInteger(parameter('limit'), listingLimits) ?? listingDefaults.limit,
  };
}

/** The allowed value that a text spells, digit by digit if it is a number. */
function oneOf<T extends string | number>(allowed: readonly T[], text: string | null): T | null {
  return allowed.find((value) => String(value) === text) ?? null;
}

function foldedOrNull(text: string | null): string | null {
  return text === null ? null : foldCase(text);
}
