import type { ListingDraft } from '../../../../core/catalog/administration/import-listings.ts';
import { listingRules } from '../../../../core/catalog/administration/written-listing.ts';
import type { CompensationType, Listing } from '../../../../core/catalog/listing.ts';
import { noPageMembers } from '../../../../core/catalog/page-members.ts';
import { html, type Html } from '../../markup/html.ts';
import { mono } from '../display/parts.ts';
import { hidden } from '../display/view.ts';
import { fieldElement, fieldList, proposals, type Choice, type Field, type FormState } from '../form/fields.ts';
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
  const { blurb = '', featured = false, upfrontCents = 0, productId = null, ...values } = reading.values;
  return { kind: 'read', values: { ...noPageMembers, ...values, blurb, featured, upfrontCents, productId } };
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

export const slugField: Field = {
  name: 'slug',
  label: 'Slug',
  hint: html`Its address: <span class="mono">/listings/SLUG</span>. It never changes.`,
  input: 'code',
  maxLength: 128,
  required: true,
};

const line = { maxLength: 200 };
const requiredLine = { ...line, required: true };
const address: Pick<Field, 'input' | 'maxLength'> = { input: 'url', maxLength: 2048 };

const descriptionHint = html`For the page. ${mono('## heading')}, ${mono('- list')}, ${mono('1. list')},
${mono('**bold**')}, ${mono('*italic*')}, ${mono('[text](https://…)')}. At most 4,000 characters.`;

/** A part of the form. The fields of one row stand beside each other. */
interface Part {
  readonly heading: string | null;
  readonly rows: readonly (readonly Field[])[];
}

/** The fields that every listing's form has. */
const parts: readonly Part[] = [
  {
    heading: null,
    rows: [
      [
        { ...requiredLine, name: 'name', label: 'Name' },
        { ...requiredLine, name: 'category', label: 'Category', list: 'categories' },
      ],
      [
        {
          name: 'blurb',
          label: 'Blurb',
          hint: 'One line, for cards and search engines. 2,000 characters at most.',
          input: 'lines',
          maxLength: 2000,
        },
      ],
      [{ name: 'description', label: 'Description', hint: descriptionHint, input: 'lines', maxLength: 4000, rows: 7 }],
    ],
  },
  {
    heading: 'What it pays',
    rows: [
      [
        { ...requiredLine, name: 'compensationLabel', label: 'In words' },
        { name: 'compensationType', label: 'Compensation', input: { one: Object.entries(compensationTexts) } },
      ],
      [
        { name: 'commissionPercent', label: 'Commission in percent', input: 'number', required: true },
        {
          name: 'commissionFor',
          label: 'Commission paid for',
          hint: html`Months, or ${mono('first_payment')}, or ${mono('lifetime')}.`,
          input: 'code',
          maxLength: 13,
        },
      ],
      [
        { name: 'cookieDays', label: 'Cookie, in days', input: 'number' },
        { ...line, name: 'payoutLabel', label: 'Payout, in words' },
      ],
      [
        { name: 'upfrontCents', label: 'Upfront payment in cents', input: 'number' },
        { name: 'storefrontCount', label: 'Storefronts', input: 'number', required: true },
      ],
    ],
  },
  {
    heading: 'Links and pictures',
    rows: [
      [
        { ...address, name: 'joinUrl', label: 'Where to join', hint: html`The button <em>Join this program</em>.` },
        { ...address, name: 'url', label: 'Product page', hint: html`The button <em>Visit the product</em>.` },
      ],
      [
        { ...line, name: 'maker', label: 'Maker' },
        { ...address, name: 'makerUrl', label: "Maker's page" },
      ],
      [
        {
          ...address,
          name: 'contactUrl',
          label: 'Contact',
          hint: html`https, or ${mono('mailto:')} and one address. The page says <em>Ask the maker</em>.`,
        },
        { ...address, name: 'imageUrl', label: 'Image', hint: 'Square. Without it the tile shows the initial.' },
      ],
      [{ ...address, name: 'pictureUrl', label: 'Wide picture', hint: '16:9, at least 1,280 px wide.' }],
      [
        {
          ...line,
          name: 'pictureAlt',
          label: 'What the wide picture shows',
          hint: 'For those who do not see it. Empty for a picture that only decorates.',
        },
      ],
      [{ name: 'featured', label: 'Featured', input: 'check' }],
    ],
  },
];

/** The members that rank a listing in the catalog. */
const ranking: readonly string[] = ['storefrontCount', 'featured'];

export const productField: Field = {
  name: 'productId',
  label: 'Product',
  hint: 'Keys that are limited to the product may change the listing.',
  input: { one: [] },
};

const allFields: readonly Field[] = [slugField, productField, ...parts.flatMap(({ rows }) => rows.flat())];

/** The name of each member, as people read it. */
export const listingLabels: ReadonlyMap<string, string> = new Map(allFields.map(({ name, label }) => [name, label]));

/** What the form proposes, and for whom it is. */
export interface ListingFormParts {
  readonly isNew: boolean;
  readonly isLimited: boolean;
  readonly categories: readonly string[];
  readonly products: readonly Choice[];
}

/** The fields of the form. */
export function listingFields(state: FormState, { isNew, isLimited, categories, products }: ListingFormParts): Html {
  const one = isLimited ? products : [['', 'None'] as const, ...products];
  const shown = isLimited ? parts.map(withoutRanking) : parts;
  return html`${isNew ? fieldElement(slugField, state) : null}
  ${fieldElement({ ...productField, input: { one } }, state)}
  ${shown.map(({ heading, rows }) => html`${heading === null ? null : html`<h2>${heading}</h2>`} ${rows.map((row) => rowOf(row, state))}`)}
  ${proposals('categories', categories)}`;
}

function withoutRanking({ heading, rows }: Part): Part {
  const own = rows.map((row) => row.filter(({ name }) => !ranking.includes(name)));
  return { heading, rows: own.filter(({ length }) => length > 0) };
}

function rowOf(row: readonly Field[], state: FormState): Html {
  return row.length === 1 ? fieldList(row, state) : html`<div class="pair">${fieldList(row, state)}</div>`;
}
