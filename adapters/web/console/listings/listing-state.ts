import type { Listing, ListingState } from '../../../../core/catalog/listing.ts';
import type { Html } from '../../markup/html.ts';
import { badge, type Tone } from '../display/badge.ts';
import type { Seen } from '../form/seen.ts';
import { idSegment } from '../frame/id-segment.ts';

const looks: Readonly<Record<ListingState, readonly [Tone, string]>> = {
  draft: ['plain', 'Draft'],
  live: ['ok', 'Live'],
  paused: ['warn', 'Paused'],
};

export function listingStateBadge({ state }: Pick<Listing, 'state'>): Html {
  return badge(...looks[state]);
}

export const listingsPath = '/console/listings';

/** The path of a listing's page, or of one of its changes. */
export function listingPath(slug: string, change = ''): string {
  return `${listingsPath}/${idSegment(slug)}${change === '' ? '' : `/${change}`}`;
}

/** What the page of a listing says after a change. */
export const listingDone = {
  added: 'The listing was added, as a draft.',
  saved: 'The changes were saved.',
  publish: 'The listing was published.',
  pause: 'The listing was paused.',
};

/** What the page of a listing has shown of it. */
export function seenOf(listing: Listing): Seen {
  const { slug, name, category, blurb, compensationType, compensationLabel, state, url, imageUrl, ...values } = listing;
  return {
    Slug: slug,
    State: looks[state][1],
    Name: name,
    Category: category,
    Blurb: blurb,
    Compensation: compensationType,
    'What it pays, in words': compensationLabel,
    'Commission in percent': String(values.commissionPercent),
    'Upfront payment in cents': String(values.upfrontCents),
    Storefronts: String(values.storefrontCount),
    'Product page': url ?? '',
    Image: imageUrl ?? '',
    Featured: String(values.featured),
  };
}
