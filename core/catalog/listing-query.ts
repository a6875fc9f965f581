import { compensationTypes, type CompensationType } from './listing.ts';
import { foldCase, searchTerms } from './search-text.ts';

export const listingSorts = ['charts', 'new', 'reward'] as const;

export type ListingSort = (typeof listingSorts)[number];

/** What is asked of the catalog, defaults and bounds applied. */
export interface ListingQuery {
  /** Folded; a listing matches when each occurs in one of its searched fields. */
  readonly terms: readonly string[];
  readonly sort: ListingSort;
  readonly compensation: CompensationType | 'all';
  /** In lower case. */
  readonly category: string | null;
  readonly minCommission: number | null;
  readonly minStorefronts: number | null;
  readonly offset: number;
  readonly limit: number;
}

export type ListingParameter =
  'q' | 'sort' | 'compensation' | 'category' | 'minCommission' | 'minStorefronts' | 'offset' | 'limit';

const defaultLimit = 24;
const maxLimit = 48;
const maxOffset = 2_147_483_647;

/** The query that these parameters ask for. No value is an error: what cannot be honoured is ignored or brought within bounds. */
export function readListingQuery(parameter: (name: ListingParameter) => string | null): ListingQuery {
  return {
    terms: searchTerms(parameter('q') ?? ''),
    sort: oneOf(listingSorts, parameter('sort')) ?? 'charts',
    compensation: oneOf(compensationTypes, parameter('compensation')) ?? 'all',
    category: foldedOrNull(parameter('category')),
    minCommission: numberOf(oneOf(['20', '30', '50'], parameter('minCommission'))),
    minStorefronts: numberOf(oneOf(['1', '5', '10'], parameter('minStorefronts'))),
    offset: within(0, maxOffset, integer(parameter('offset')) ?? 0),
    limit: within(1, maxLimit, integer(parameter('limit')) ?? defaultLimit),
  };
}

function oneOf<T extends string>(allowed: readonly T[], text: string | null): T | null {
  return allowed.find((value) => value === text) ?? null;
}

function foldedOrNull(text: string | null): string | null {
  return text === null ? null : foldCase(text);
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}

function integer(text: string | null): number | null {
  return text !== null && /^-?[0-9]+$/.test(text) ? Number(text) : null;
}

function within(least: number, most: number, value: number): number {
  return Math.min(Math.max(least, value), most);
}
