import type { ListingFilter } from '../../../../core/catalog/administration/list-listings.ts';
import { listingRules } from '../../../../core/catalog/administration/written-listing.ts';
import { listingStates } from '../../../../core/catalog/listing.ts';
import { foldCase } from '../../../../core/catalog/search-text.ts';
import { displayNameRule, oneOf } from '../../../../core/parsing/value-rule.ts';
import type { Choice, Field } from '../form/fields.ts';
import { givenOf, readForm, type FormReading } from '../form/form-reading.ts';

const rules = { q: displayNameRule, category: listingRules.category, state: oneOf(listingStates) };

/** The fields of the filter. A category that is asked for is among the choices, known or not. */
export function filterFields(categories: readonly string[], chosen = ''): readonly Field[] {
  const offered = chosen === '' || categories.includes(chosen) ? categories : [...categories, chosen];
  return [
    { name: 'q', label: 'Search', input: 'search', maxLength: 200 },
    {
      name: 'category',
      label: 'Category',
      input: { one: [['', 'All categories'], ...offered.map((category): Choice => [category, category])] },
    },
  ];
}

export function readFilter(query: URLSearchParams): FormReading<ListingFilter> {
  const reading = readForm([...filterFields([]), { name: 'state', label: 'State' }], rules, [], query);
  if (reading.kind === 'wrong') return reading;
  const { q = null, category = null, state = null } = reading.values;
  return { kind: 'read', values: { state, search: q, category } };
}

/** A category in the spelling of the list that offers it. */
export function spelled(category: string, categories: readonly string[]): string {
  return categories.find((each) => foldCase(each) === foldCase(category)) ?? category;
}

/** The part of a query that filters, for the links to other pages of the list. */
export function filterOf(query: URLSearchParams): URLSearchParams {
  return givenOf(query, Object.keys(rules));
}
