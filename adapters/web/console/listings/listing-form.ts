import type { ListingDraft } from '../../../../core/catalog/administration/import-listings.ts';
import { listingRules } from '../../../../core/catalog/administration/written-listing.ts';
import { missingForAffiliates, noAffiliateMembers } from '../../../../core/catalog/affiliate-members.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import { noPageMembers } from '../../../../core/catalog/page-members.ts';
import { html, type Html } from '../../markup/html.ts';
import { icon } from '../../markup/icons.ts';
import { hidden } from '../display/view.ts';
import { fieldElement, fieldList, proposals, type Choice, type Field, type FormState } from '../form/fields.ts';
import { mistakesIn, readForm, type FormReading } from '../form/form-reading.ts';
import { allFields, parts, productField, slugField, type Part } from './listing-fields.ts';

const { id: _id, publishedAt: _publishedAt, state: _state, ...rules } = listingRules;

type WrittenFields = Omit<ListingDraft, 'id' | 'publishedAt' | 'state'>;

/** The members of a listing that its form has. The others are kept as they are. */
export type ListingFields = Pick<Listing, keyof WrittenFields>;

const required = ['slug', 'name', 'category', 'commissionPercent', 'compensationType', 'compensationLabel'] as const;

/** The values of fields that are left out. */
const noDraftMembers = {
  ...noPageMembers,
  ...noAffiliateMembers,
  blurb: '',
  featured: false,
  upfrontCents: 0,
  storefrontCount: 0,
  productId: null,
};

/**
 * Reads the form of a listing. The slug of a known listing comes from the path. The form of a limited key lacks what ranks a
 * listing, which stays as it is.
 */
export function readListingForm(
  form: URLSearchParams,
  listing: Listing | null,
  isLimited: boolean,
): FormReading<ListingFields> {
  const given = new URLSearchParams(form);
  if (listing !== null) given.set('slug', listing.slug);
  if (isLimited) {
    given.set('storefrontCount', String(listing?.storefrontCount ?? 0));
    given.set('featured', String(listing?.featured ?? false));
  }
  const reading = readForm(allFields, rules, required, given);
  if (reading.kind === 'wrong') return reading;
  const values = { ...noDraftMembers, ...reading.values };
  const mistakes = missingForAffiliates(values);
  return mistakes.length === 0
    ? { kind: 'read', values }
    : { kind: 'wrong', mistakes: mistakesIn(allFields, mistakes) };
}

/** The values of the form as they are proposed. */
export function formOf(listing: ListingFields): Readonly<Record<string, string>> {
  const members: Readonly<Partial<Record<string, string | number | boolean | null>>> = listing;
  return Object.fromEntries(Object.keys(rules).map((name) => [name, String(members[name] ?? '')]));
}

/** The values of the form as hidden fields. */
export function carriedFields({ typed }: FormState): Html {
  return html`${Object.keys(rules).map((name) => hidden(name, typed(name)))}`;
}

/** The members that rank a listing in the catalog. */
const ranking: readonly string[] = ['storefrontCount', 'featured'];

/** The values that the form proposes, and the operator whom it is for. */
export interface ListingFormParts {
  readonly isNew: boolean;
  readonly isLimited: boolean;
  readonly categories: readonly string[];
  readonly products: readonly Choice[];
}

/** The fields of the form. The fields that a listing needs are marked; the others are folded if they are empty. */
export function listingFields(state: FormState, { isNew, isLimited, categories, products }: ListingFormParts): Html {
  const one = isLimited ? products : [['', 'None'] as const, ...products];
  const shown = isLimited ? parts.map(withoutRanking) : parts;
  return html`${isNew ? fieldElement(slugField, state) : null}
  ${fieldElement({ ...productField, input: { one } }, state)} ${shown.map((part) => partElement(part, state))}
  ${proposals('categories', categories)}`;
}

function withoutRanking({ fold, rows }: Part): Part {
  const own = rows.map((row) => row.filter(({ name }) => !ranking.includes(name)));
  return { fold, rows: own.filter(({ length }) => length > 0) };
}

function partElement({ fold, rows }: Part, state: FormState): Html {
  const fields = html`${rows.map((row) => rowOf(row, state))}`;
  if (fold === null) return fields;
  return html`<details class="more" ${rows.flat().some((field) => saysSomething(field, state)) ? html` open` : null}>
    <summary>${icon('next')}${fold}</summary>
    <div>${fields}</div>
  </details>`;
}

/** The defaults that are neither nothing nor 0. */
const defaults = new Map<string, string>(
  Object.entries(noAffiliateMembers).map(([name, value]) => [name, String(value ?? '')]),
);

/** Whether a field has more than its default, or something to be read. */
function saysSomething({ name }: Field, { typed, mistakes, remarks }: FormState): boolean {
  const isDefault = ['', '0', 'false', defaults.get(name)].includes(typed(name));
  return !isDefault || mistakes.has(name) || remarks?.has(name) === true;
}

function rowOf(row: readonly Field[], state: FormState): Html {
  return row.length === 1 ? fieldList(row, state) : html`<div class="pair">${fieldList(row, state)}</div>`;
}
