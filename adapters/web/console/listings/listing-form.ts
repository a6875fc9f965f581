import type { ListingDraft } from '../../../../core/catalog/administration/import-listings.ts';
import { listingRules } from '../../../../core/catalog/administration/written-listing.ts';
import type { CompensationType, Listing } from '../../../../core/catalog/listing.ts';
import { html, type Html } from '../../markup/html.ts';
import { hidden } from '../display/view.ts';
import { fieldElement, fieldList, type Field, type FormState } from '../form/fields.ts';
import { readForm, type FormReading } from '../form/form-reading.ts';

const { id: _id, publishedAt: _publishedAt, state: _state, ...rules } = listingRules;

type WrittenFields = Omit<ListingDraft, 'id' | 'publishedAt' | 'state'>;

/** The members of a listing that its form has. The others are kept as they are. */
export type ListingFields = Pick<Listing, keyof WrittenFields>;

const required = [
  'slug',
  'name',
  'category',
  'commissionPercent',
  'compensationType',
  'compensationLabel',
  'storefrontCount',
] as const;

const compensationTexts: Readonly<Record<CompensationType, string>> = {
  commission: 'Commission',
  upfront: 'Upfront payment',
  both: 'Both',
};

/** Reads the form of a listing. The slug of a known listing comes from the path. */
export function readListingForm(form: URLSearchParams, slug: string | null): FormReading<ListingFields> {
  const given = new URLSearchParams(form);
  if (slug !== null) given.set('slug', slug);
  const reading = readForm([slugField, ...rows.flat()], rules, required, given);
  if (reading.kind === 'wrong') return reading;
  const { blurb = '', featured = false, upfrontCents = 0, url = null, imageUrl = null, ...values } = reading.values;
  return { kind: 'read', values: { ...values, blurb, featured, upfrontCents, url, imageUrl } };
}

/** The values of the form as they are proposed. */
export function formOf(listing: ListingFields): Readonly<Record<string, string>> {
  const { commissionPercent, storefrontCount, upfrontCents, url, imageUrl, featured, ...texts } = listing;
  return {
    ...texts,
    commissionPercent: String(commissionPercent),
    storefrontCount: String(storefrontCount),
    upfrontCents: String(upfrontCents),
    url: url ?? '',
    imageUrl: imageUrl ?? '',
    featured: String(featured),
  };
}

/** The values of the form as hidden fields. */
export function carriedFields({ typed }: FormState): Html {
  return html`${Object.keys(rules).map((name) => hidden(name, typed(name)))}`;
}

export const slugField: Field = {
  name: 'slug',
  label: 'Slug',
  hint: html`Its address: <span class="mono">/listings/SLUG</span>. It never changes.`,
  input: 'code',
  maxLength: 128,
  required: true,
};

const line = { maxLength: 200, required: true };

/** The fields that every listing's form has. Those in one list stand beside each other. */
const rows: readonly (readonly Field[])[] = [
  [
    { ...line, name: 'name', label: 'Name' },
    { ...line, name: 'category', label: 'Category', list: 'categories' },
  ],
  [
    {
      name: 'blurb',
      label: 'Blurb',
      hint: 'One or two short lines, 2,000 characters at most. A card shows three lines.',
      input: 'lines',
      maxLength: 2000,
    },
  ],
  [
    { name: 'compensationType', label: 'Compensation', input: { one: Object.entries(compensationTexts) } },
    { name: 'commissionPercent', label: 'Commission in percent', input: 'number', required: true },
  ],
  [{ ...line, name: 'compensationLabel', label: 'What it pays, in words' }],
  [
    { name: 'upfrontCents', label: 'Upfront payment in cents', input: 'number' },
    { name: 'storefrontCount', label: 'Storefronts', input: 'number', required: true },
  ],
  [
    {
      name: 'url',
      label: 'Product page',
      hint: html`Where <em>Visit the product</em> leads. Without it there is no button.`,
      input: 'url',
      maxLength: 2048,
    },
    {
      name: 'imageUrl',
      label: 'Image',
      hint: html`https, from a host in <span class="mono">SITE_IMAGE_HOSTS</span>. Without it the tile shows the
        initial.`,
      input: 'url',
      maxLength: 2048,
    },
  ],
  [{ name: 'featured', label: 'Featured', input: 'check' }],
];

/** The name of each member, as people read it. */
export const listingLabels: ReadonlyMap<string, string> = new Map(
  [slugField, ...rows.flat()].map(({ name, label }) => [name, label]),
);

/** The fields of the form. `categories` are proposed. */
export function listingFields(state: FormState, isNew: boolean, categories: readonly string[]): Html {
  return html`${isNew ? fieldElement(slugField, state) : null}
    ${rows.map((fields) => (fields.length === 1 ? fieldList(fields, state) : html`<div class="pair">${fieldList(fields, state)}</div>`))}
    <datalist id="categories">${categories.map((category) => html`<option value="${category}"></option>`)}</datalist>`;
}
