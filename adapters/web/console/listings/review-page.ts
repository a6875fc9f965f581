import type { Listing } from '../../../../core/catalog/listing.ts';
import { html, type Html } from '../../markup/html.ts';
import { crumbs, note } from '../display/parts.ts';
import { table } from '../display/table.ts';
import { postForm, type PageContent, type PageView } from '../display/view.ts';
import type { FormState } from '../form/fields.ts';
import { versionField } from './listing-edit-page.ts';
import { carriedFields, formOf, listingLabels, type ListingFields } from './listing-form.ts';
import { addListingPath } from './listing-list-page.ts';
import { listingPath, listingsPath } from './listing-state.ts';

/** What changes in one member. */
export interface ListingDifference {
  readonly member: string;
  readonly was: string;
  readonly becomes: string;
}

/** The members in which two listings differ. `was` is null for a new listing. */
export function differences(was: ListingFields | null, becomes: ListingFields): readonly ListingDifference[] {
  const before = was === null ? {} : formOf(was);
  const after = formOf(becomes);
  return [...listingLabels].flatMap(([name, member]) => {
    const [old = '', next = ''] = [before[name], after[name]];
    return old === next ? [] : [{ member, was: old, becomes: next }];
  });
}

/** Asks whether the changes of a listing are to be saved. */
export function reviewPage(
  view: PageView,
  listing: Listing | null,
  state: FormState,
  changes: readonly ListingDifference[],
): PageContent {
  const isNew = listing === null;
  const title = changes.length === 0 ? 'Nothing has changed' : isNew ? 'Add this listing?' : 'Save these changes?';
  const save = isNew ? 'Add listing' : 'Save changes';
  return {
    title,
    main: html`<div class="confirm">
      ${crumbs([{ href: listingsPath, text: 'Listings' }], listing?.slug ?? 'Add')}
      <h1>${title}</h1>
      ${note('warn', effectOf(listing), picturesText(state))}
      ${differenceTable(changes, isNew ? 'Nothing' : 'Before', 'After')}
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
    </div>`,
  };
}

/** Two states of a listing beside each other. */
function differenceTable(changes: readonly ListingDifference[], before: string, after: string): Html {
  return table(
    'What changes',
    [
      { heading: 'What', isMuted: true, cell: ({ member }: ListingDifference) => member },
      { heading: before, cell: ({ was }: ListingDifference) => html`<span class="was" dir="auto">${was}</span>` },
      { heading: after, cell: ({ becomes }: ListingDifference) => html`<span dir="auto">${becomes}</span>` },
    ],
    changes,
  );
}

function picturesText({ remarks }: FormState): Html | null {
  return remarks === undefined || remarks.size === 0
    ? null
    : html`${[...remarks.values()].map((each) => html`<p>${each}</p>`)}`;
}

function effectOf(listing: Listing | null): string {
  if (listing === null) return 'It is a draft until you publish it.';
  return listing.state === 'live'
    ? 'The marketplace shows the changes within a second.'
    : 'The marketplace does not show this listing now.';
}
