import { compensationTypes, type CompensationType } from './listing.ts';
import { foldCase, searchTerms } from './search-text.ts';

export const listingSorts = ['charts', 'new', 'reward'] as const;

export type ListingSort = (typeof listingSorts)[number];

/** A query with its defaults and bounds applied. */
export interface ListingQuery {
  /** Folded search terms. A listing matches if each of them occurs in one of its searched fields. */
  readonly terms: readonly string[];
  readonly sort: ListingSort;
  readonly compensation: CompensationType | 'all';
  /** Case-folded. */
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

/** Reads a query from its parameters. No value is an error: one that cannot be honoured is ignored or clamped. */
export function readListingQuery(parameter: (name: ListingParameter) => string | null): ListingQuery {
  return {
    terms: searchTerms(parameter('q') ?? ''),
    sort: oneOf(listingSorts, parameter('sort')) ?? 'charts',
    compensation: oneOf(compensationTypes, parameter('compensation')) ?? 'all',
    category: foldedOrNull(parameter('category')),
    minCommission: numberOf(oneOf(['20', '30', '50'], parameter('minCommission'))),
    minStorefronts: numberOf(oneOf(['1', '5', '10'], parameter('minStorefronts'))),
    offset: clamp(integer(parameter('offset')) ?? 0, 0, maxOffset),
    limit: clamp(integer(parameter('limit')) ?? defaultLimit, 1, maxLimit),
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

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
