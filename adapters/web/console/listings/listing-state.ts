import type { Listing, ListingState } from '../../../../core/catalog/listing.ts';
import { badge, type Tone } from '../../markup/badge.ts';
import { html, type Html } from '../../markup/html.ts';
import { mono } from '../display/parts.ts';
import type { PageView } from '../display/view.ts';
import type { Seen } from '../form/seen.ts';
import { idSegment } from '../frame/id-segment.ts';
import { listingLabels } from './listing-fields.ts';
import { formOf } from './listing-form.ts';

const looks: Readonly<Record<ListingState, readonly [Tone, string]>> = {
  draft: ['plain', 'Draft'],
  live: ['ok', 'Live'],
  paused: ['warn', 'Paused'],
};

export function listingStateBadge({ state }: Pick<Listing, 'state'>): Html {
  return badge(...looks[state]);
}

/** Whether somebody may save a listing; null for a new one. Those who only draft may do so until it is published. */
export function maySave({ may, isDrafter }: PageView, listing: Pick<Listing, 'state'> | null): boolean {
  return may('admin:catalog') || (isDrafter && (listing === null || listing.state === 'draft'));
}

/** Who publishes a draft, for those who may not. */
export const publishedBy: Html = html`An operator with ${mono('admin:catalog')} publishes it.`;

/** Bytes that a form may have. It carries each text of a listing as it is and as it was, up to twelve bytes a character. */
export const listingFormLimit = 256 * 1024;

export const listingsPath = '/console/listings';

/** The path of a listing's page, or of one of its changes. */
export function listingPath(slug: string, change = ''): string {
  return `${listingsPath}/${idSegment(slug)}${change === '' ? '' : `/${change}`}`;
}

/** The texts on the page of a listing after a change. */
export const listingDone = {
  added: 'The listing was added, as a draft.',
  saved: 'The changes were saved.',
  publish: 'The listing was published.',
  pause: 'The listing was paused.',
};

/** The values that the page of a listing has shown of it. */
export function seenOf(listing: Listing): Seen {
  const { slug, state } = listing;
  const values = formOf(listing);
  const shown = [...listingLabels].map(([name, label]) => [label, values[name] ?? ''] as const);
  return { ...Object.fromEntries(shown), Slug: slug, State: looks[state][1] };
}
