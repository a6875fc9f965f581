import { maxHoldDays, type AffiliatePolicy } from '../../../../core/catalog/affiliate-members.ts';
import type { CompensationType } from '../../../../core/catalog/listing.ts';
import { html } from '../../markup/html.ts';
import { mono } from '../display/parts.ts';
import type { Field } from '../form/fields.ts';

const compensationTexts: Readonly<Record<CompensationType, string>> = {
  commission: 'Commission',
  upfront: 'Upfront payment',
  both: 'Both',
};

const affiliateTexts: Readonly<Record<AffiliatePolicy, string>> = {
  none: 'Nobody',
  ask: 'Each that is approved',
  open: 'Everybody, at once',
};

export const slugField: Field = {
  name: 'slug',
  label: 'Slug',
  hint: html`Its address: <span class="mono">/listings/SLUG</span>. It never changes.`,
  input: 'code',
  maxLength: 128,
  required: true,
  isMarked: true,
};

const line = { maxLength: 200 };
const needed = { required: true, isMarked: true };
const address: Pick<Field, 'input' | 'maxLength'> = { input: 'url', maxLength: 2048 };

const descriptionHint = html`For the page. ${mono('## heading')}, ${mono('- list')}, ${mono('1. list')},
${mono('**bold**')}, ${mono('*italic*')}, ${mono('[text](https://…)')}. At most 4,000 characters.`;

/** A part of the form. The fields of one row stand beside each other. */
export interface Part {
  /** The name of a part that is folded while it says nothing; null for the one that every listing needs. */
  readonly fold: string | null;
  readonly rows: readonly (readonly Field[])[];
}

/** The fields that every listing's form has. Those that a listing needs stand first, and never in a fold. */
export const parts: readonly Part[] = [
  {
    fold: null,
    rows: [
      [
        { ...line, ...needed, name: 'name', label: 'Name' },
        { ...line, ...needed, name: 'category', label: 'Category', list: 'categories' },
      ],
      [
        {
          ...line,
          ...needed,
          name: 'compensationLabel',
          label: 'What it pays, in words',
          hint: html`Such as <em>30 % of every sale</em>.`,
        },
        { ...needed, name: 'commissionPercent', label: 'Commission in percent', input: 'number' },
      ],
      [{ name: 'compensationType', label: 'Compensation', input: { one: Object.entries(compensationTexts) } }],
    ],
  },
  {
    fold: 'Texts',
    rows: [
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
    fold: 'More of what it pays',
    rows: [
      [
        {
          name: 'commissionFor',
          label: 'Commission paid for',
          hint: html`Months, or ${mono('first_payment')}, or ${mono('lifetime')}.`,
          input: 'code',
          maxLength: 13,
        },
        { name: 'cookieDays', label: 'Cookie, in days', input: 'number' },
      ],
      [
        { ...line, name: 'payoutLabel', label: 'Payout, in words' },
        { name: 'upfrontCents', label: 'Upfront payment in cents', input: 'number' },
      ],
    ],
  },
  {
    fold: 'Affiliates',
    rows: [
      [
        {
          name: 'affiliates',
          label: 'Who may promote it here',
          hint: 'Needs a product, where a sale begins, for how long commission is paid, and a compensation other than upfront.',
          input: { one: Object.entries(affiliateTexts) },
        },
        {
          name: 'holdDays',
          label: 'Hold, in days',
          hint: `Until then no commission is due: 0 to ${maxHoldDays}, and not shorter than you give money back.`,
          input: 'number',
        },
      ],
      [
        {
          ...address,
          name: 'saleUrl',
          label: 'Where a sale begins',
          hint: 'A Payment Link, or your page where a checkout begins.',
        },
      ],
      [{ name: 'storefrontCount', label: 'Storefronts elsewhere', input: 'number' }],
    ],
  },
  {
    fold: 'Links and pictures',
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

export const productField: Field = {
  name: 'productId',
  label: 'Product',
  hint: 'Keys that are limited to the product may change the listing.',
  input: { one: [] },
};

export const allFields: readonly Field[] = [slugField, productField, ...parts.flatMap(({ rows }) => rows.flat())];

/** The name of each member, as people read it. */
export const listingLabels: ReadonlyMap<string, string> = new Map(allFields.map(({ name, label }) => [name, label]));
