import type { Listing } from '../../../../core/catalog/listing.ts';
import { html } from '../../markup/html.ts';
import { mono, written } from '../display/parts.ts';
import type { ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { decisionRoutes, type DecidedOn } from '../frame/decision-routes.ts';
import { listingOf, seenListing } from './listing-routes.ts';
import { listingFormLimit, listingPath, listingsPath, listingStateBadge, seenOf } from './listing-state.ts';
import { pagePreview } from './review-page.ts';

/** *Publish*, *Pause* and *Delete*. */
export function listingChangeRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { deleteListing, pauseListing, publishSeenListing } = administration;
  const listings: DecidedOn<Listing> = {
    noun: 'listing',
    kind: 'Listing',
    access: 'admin:catalog',
    bodyLimit: listingFormLimit,
    path: (change) => listingPath(':slug', change),
    find: ({ call, parameters: { slug = '' } }) => listingOf(administration, slug, call),
    crumbs: ({ slug }) => [
      { href: listingsPath, text: 'Listings' },
      { href: listingPath(slug), text: slug },
    ],
    facts: (listing) => [
      ['Listing', written(listing.name)],
      ['Slug', mono(listing.slug)],
      ['State', listingStateBadge(listing)],
    ],
    seen: seenOf,
    intent: (listing) => seenListing(listing).intent,
    back: ({ slug }) => listingPath(slug),
  };
  return decisionRoutes(listings, [
    {
      name: 'publish',
      verb: 'Publish',
      heading: 'Everybody can see it.',
      effects: ({ name }) => [html`The marketplace and its search show ${written(name)} within a second.`],
      isDone: ({ state }) => state === 'live',
      beside: pagePreview,
      run: publishSeenListing,
    },
    {
      name: 'pause',
      verb: 'Pause',
      heading: 'The marketplace no longer shows it.',
      effects: () => [html`Its page answers 404, and caches forget it within a minute. Nothing of it is lost.`],
      isDone: ({ state }) => state === 'paused',
      run: ({ slug }, call) => pauseListing(slug, call),
    },
    {
      name: 'delete',
      verb: 'Delete',
      isFinal: true,
      heading: 'This cannot be undone.',
      effects: ({ name }) => [html`${written(name)} is removed from the marketplace and from the store.`],
      milder: ({ slug, state }) =>
        state === 'live'
          ? html`Only want to hide it for now? <a href="${listingPath(slug, 'pause')}">Pause it</a> instead.`
          : null,
      gone: 'listing_not_found',
      run: ({ slug }, call) => deleteListing(slug, call),
      goesTo: listingsPath,
    },
  ]);
}
