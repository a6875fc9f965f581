import type { Listing } from '../../../../core/catalog/listing.ts';
import { html, type Html } from '../../markup/html.ts';
import { icon } from '../../markup/icons.ts';
import { crumbs, mono, note, written } from '../display/parts.ts';
import { hidden, postForm, type PageContent, type PageView } from '../display/view.ts';
import type { Choice, FormState } from '../form/fields.ts';
import { seenField } from '../form/seen.ts';
import { listingFields } from './listing-form.ts';
import { addListingPath } from './listing-list-page.ts';
import { listingPath, listingsPath, listingStateBadge, maySave, publishedBy, seenOf } from './listing-state.ts';

/** The content of the page of a listing's form. */
export interface EditedListing {
  /** Null for a new listing. */
  readonly listing: Listing | null;
  readonly state: FormState;
  readonly categories: readonly string[];
  readonly products: readonly Choice[];
  readonly preview: Html;
  /** The storefronts that the marketplace shows; null for a new listing. */
  readonly storefronts: string | null;
  /** The address of a listing's page in the marketplace; null if this server has none. */
  readonly marketplace: string | null;
  readonly done: Html | null;
}

const path = [{ href: listingsPath, text: 'Listings' }];

/** The form of a listing, with a preview of its card. Those who may not change it see the same without buttons. */
export function listingEditPage(view: PageView, edited: EditedListing): PageContent {
  const { listing, preview, storefronts } = edited;
  const heading = listing?.name ?? 'New listing';
  return {
    title: heading,
    main: html`<div class="page">
      <div class="title">
        ${crumbs(path, listing?.slug ?? 'Add')}
        <div class="line">
          <h1>${written(heading)}</h1>
          ${listing === null ? null : html`${listingStateBadge(listing)} ${stateButtons(view, listing, edited.marketplace)}`}
        </div>
      </div>
      ${edited.done} ${view.isDrafter ? drafterNote(listing) : null}
      ${edited.state.mistakes.size === 0 ? null : note('bad', 'Nothing was changed.', mistakesText(edited.state))}
      <div class="editor">
        ${listingForm(view, edited)}
        <aside class="preview" aria-labelledby="preview">
          <h2 id="preview">Preview</h2>
          ${preview}
          ${
            storefronts === null
              ? null
              : html`<dl class="facts">
                  <div>
                    <dt>Storefronts</dt>
                    <dd>${storefronts}</dd>
                  </div>
                </dl>`
          }
        </aside>
      </div>
    </div>`,
  };
}

/** The note about the listings of those who only draft. */
function drafterNote(listing: Listing | null): Html {
  const isDraft = listing === null || listing.state === 'draft';
  const text = isDraft
    ? html`${publishedBy} Until then you may change it.`
    : html`It was published: an operator with ${mono('admin:catalog')} changes it.`;
  return note('plain', null, html`<p>${text}</p>`);
}

/** The version for which the form was first shown: a form that is shown again keeps it. */
export function versionField(listing: Listing | null, { typed }: FormState): Html | null {
  if (listing === null) return null;
  return typed('version') === '' ? seenField(seenOf(listing)) : hidden('version', typed('version'));
}

function mistakesText({ mistakes }: FormState): Html {
  return html`<p>${mistakes.size === 1 ? 'A field needs' : `${mistakes.size} fields need`} another value.</p>`;
}

function listingForm(view: PageView, { listing, state, categories, products }: EditedListing): Html {
  const { isLimited } = view;
  const fields = listingFields(state, { isNew: listing === null, isLimited, categories, products });
  if (!maySave(view, listing)) return html`<form><fieldset disabled>${fields}</fieldset></form>`;
  return postForm(
    view,
    listing === null ? addListingPath : listingPath(listing.slug),
    html`${versionField(listing, state)} ${fields}
      <div class="buttons">
        <button class="button" name="step" value="preview">Update preview</button
        ><button class="button primary" name="step" value="review">Review changes</button>
      </div>`,
  );
}

function stateButtons({ may }: PageView, { slug, state }: Listing, marketplace: string | null): Html {
  const change = state === 'live' ? (['pause', 'Pause'] as const) : (['publish', 'Publish'] as const);
  const see =
    marketplace === null || state !== 'live'
      ? null
      : html`<a class="button" href="${marketplace}">See it in the marketplace${icon('away')}</a>`;
  const changes = html`<a class="button" href="${listingPath(slug, change[0])}">${change[1]}</a
    ><a class="button" href="${listingPath(slug, 'delete')}">Delete</a>`;
  return html`<div class="buttons">${see}${may('admin:catalog') ? changes : null}</div>`;
}
