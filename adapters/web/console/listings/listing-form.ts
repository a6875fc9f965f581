import type { ListingDraft } from '../../../../core/catalog/administration/import-listings.ts';
import { listingRules } from '../../../../core/catalog/administration/written-listing.ts';
import type { CompensationType, Listing } from '../../../../core/catalog/listing.ts';
import { html, type Html } from '../../markup/html.ts';
import { checkField, selectField, textArea, textField, type FormState } from '../display/fields.ts';
import { readForm, type FormReading } from '../display/form-reading.ts';
import { hidden } from '../display/view.ts';

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
  // Browsers send the line ends of a textarea as CRLF.
  given.set('blurb', (form.get('blurb') ?? '').replaceAll('\r\n', '\n'));
  const reading = readForm(rules, required, given);
  if (reading.kind === 'wrong') return reading;
  const { featured = false, upfrontCents = 0, url = null, imageUrl = null, ...values } = reading.values;
  // An empty blurb counts as left out of a form, and is one.
  return {
    kind: 'read',
    values: { ...values, blurb: given.get('blurb') ?? '', featured, upfrontCents, url, imageUrl },
  };
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

/** The fields of the form. `categories` are proposed. */
export function listingFields(state: FormState, isNew: boolean, categories: readonly string[]): Html {
  const line = html` maxlength="200" required dir="auto"`;
  const address = html` type="url" maxlength="2048" autocomplete="off"`;
  const imageHint = html`https, from a host in <span class="mono">SITE_IMAGE_HOSTS</span>. Without it the tile shows the
    initial.`;
  return html`${isNew ? slugField(state) : null}
    <div class="pair">
      ${textField(state, { name: 'name', label: 'Name' }, line)}
      ${textField(state, { name: 'category', label: 'Category' }, html`${line} list="categories"`)}
    </div>
    <datalist id="categories">${categories.map((category) => html`<option value="${category}"></option>`)}</datalist>
    ${textArea(
      state,
      {
        name: 'blurb',
        label: 'Blurb',
        hint: 'One or two short lines, 2,000 characters at most. A card shows three lines.',
      },
      html` maxlength="2000" dir="auto"`,
    )}
    <div class="pair">
      ${selectField(state, { name: 'compensationType', label: 'Compensation' }, Object.entries(compensationTexts))}
      ${textField(state, { name: 'commissionPercent', label: 'Commission in percent' }, html` inputmode="decimal" required`)}
    </div>
    ${textField(state, { name: 'compensationLabel', label: 'What it pays, in words' }, line)}
    <div class="pair">
      ${textField(state, { name: 'upfrontCents', label: 'Upfront payment in cents' }, html` inputmode="numeric"`)}
      ${textField(state, { name: 'storefrontCount', label: 'Storefronts' }, html` inputmode="numeric" required`)}
    </div>
    <div class="pair">
      ${textField(state, { name: 'url', label: 'Product page', hint: urlHint }, address)}
      ${textField(state, { name: 'imageUrl', label: 'Image', hint: imageHint }, address)}
    </div>
    ${checkField(state, { name: 'featured', label: 'Featured' })}`;
}

const urlHint = html`Where <em>Visit the product</em> leads. Without it there is no button.`;

function slugField(state: FormState): Html {
  const hint = html`Its address: <span class="mono">/listings/SLUG</span>. It never changes.`;
  const more = html` class="mono" maxlength="128" required autocomplete="off" spellcheck="false"`;
  return textField(state, { name: 'slug', label: 'Slug', hint }, more);
}
