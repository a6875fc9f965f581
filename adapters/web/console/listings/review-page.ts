import type { Listing } from '../../../../core/catalog/listing.ts';
import { listingContent } from '../../marketplace/listing-page.ts';
import { formattedText } from '../../markup/formatted-text.ts';
import { html, type Html } from '../../markup/html.ts';
import { crumbs, note } from '../display/parts.ts';
import { postForm, type PageContent, type PageView } from '../display/view.ts';
import type { FormState } from '../form/fields.ts';
import { versionField } from './listing-edit-page.ts';
import { allFields, listingLabels } from './listing-fields.ts';
import { carriedFields, formOf, type ListingFields } from './listing-form.ts';
import { addListingPath } from './listing-list-page.ts';
import { listingPath, listingsPath } from './listing-state.ts';

/** The change of one member. */
export interface ListingDifference {
  readonly name: string;
  readonly was: string;
  readonly becomes: string;
}

/** The members in which two listings differ. `was` is null for a new listing. */
export function differences(was: ListingFields | null, becomes: ListingFields): readonly ListingDifference[] {
  const before = was === null ? {} : formOf(was);
  const after = formOf(becomes);
  return [...listingLabels.keys()].flatMap((name) => {
    const [old = '', next = ''] = [before[name], after[name]];
    return old === next ? [] : [{ name, was: old, becomes: next }];
  });
}

/** The listing to be reviewed, with its changes. */
export interface Reviewed {
  /** Null for a new listing. */
  readonly listing: Listing | null;
  readonly state: FormState;
  readonly changes: readonly ListingDifference[];
  /** The listing as it will be. */
  readonly page: Listing;
}

/** Asks whether the changes of a listing are to be saved, beside the page as it will be. */
export function reviewPage(view: PageView, { listing, state, changes, page }: Reviewed): PageContent {
  const isNew = listing === null;
  const title = changes.length === 0 ? 'Nothing has changed' : isNew ? 'Add this listing?' : 'Save these changes?';
  const save = isNew ? 'Add listing' : 'Save changes';
  return {
    title,
    main: html`<div class="page">
      <div class="title">
        ${crumbs([{ href: listingsPath, text: 'Listings' }], listing?.slug ?? 'Add')}
        <h1>${title}</h1>
      </div>
      <div class="review">
        <div>
          ${note('warn', effectOf(view, listing), picturesText(state))} ${changeList(changes, isNew)}
          ${postForm(
            view,
            isNew ? addListingPath : listingPath(listing.slug),
            html`${versionField(listing, state)} ${carriedFields(state)}
              <div class="buttons">
                ${
                  changes.length === 0
                    ? null
                    : html`<button class="button primary" name="step" value="save">${save}</button>`
                }<button class="button" name="step" value="edit">Keep editing</button>
              </div>`,
          )}
        </div>
        ${pagePreview(page)}
      </div>
    </div>`,
  };
}

/** The page of the listing as the marketplace will show it, without pictures of other hosts, which the console does not load. */
export function pagePreview(page: Listing): Html {
  return html`<section class="preview" aria-labelledby="preview">
    <h2 id="preview">
      The page as it will be${page.imageUrl === null && page.pictureUrl === null ? null : ', without its pictures'}
    </h2>
    <article class="listing full">
      ${listingContent(page, {
        image: null,
        picture: null,
        heading: html`<h3 dir="auto">${page.name}</h3>`,
        category: html`<span dir="auto">${page.category}</span>`,
        promote: html`<span class="button primary large">Promote this</span>`,
      })}
    </article>
  </section>`;
}

/** The old and the new value of each member, below each other; of a new listing, its values. */
function changeList(changes: readonly ListingDifference[], isNew: boolean): Html | null {
  if (changes.length === 0) return null;
  return html`<section class="section">
    <h2>${isNew ? 'What it says' : 'What changes'}</h2>
    <dl class="facts boxed changes">
      ${changes.map(
        ({ name, was, becomes }) =>
          html`<div>
            <dt>${listingLabels.get(name) ?? name}</dt>
            <dd>
              ${
                isNew
                  ? valueOf(name, becomes)
                  : html`<p class="muted small">Before</p>
                      ${valueOf(name, was)}
                      <p class="muted small">After</p>
                      ${valueOf(name, becomes)}`
              }
            </dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/** A value as people read it: a description as the page shows it, and a choice by its name. */
function valueOf(name: string, value: string): Html {
  if (value === '') return html`<p class="muted">Nothing</p>`;
  if (name === 'description') return html`<div class="prose" dir="auto">${formattedText(value)}</div>`;
  const input = allFields.find((field) => field.name === name)?.input;
  if (input === 'check') return html`<p>${value === 'true' ? 'Yes' : 'No'}</p>`;
  const choices = typeof input === 'object' && 'one' in input ? input.one : [];
  const chosen = choices.find(([each]) => each === value);
  return html`<p class="lines" dir="auto">${chosen === undefined ? value : chosen[1]}</p>`;
}

function picturesText({ remarks }: FormState): Html | null {
  return remarks === undefined || remarks.size === 0
    ? null
    : html`${[...remarks.values()].map((each) => html`<p>${each}</p>`)}`;
}

function effectOf({ isDrafter }: PageView, listing: Listing | null): string {
  if (isDrafter) return 'It is a draft until an operator with admin:catalog publishes it.';
  if (listing === null) return 'It is a draft until you publish it.';
  return listing.state === 'live'
    ? 'The marketplace shows the changes within a second.'
    : 'The marketplace does not show this listing now.';
}
