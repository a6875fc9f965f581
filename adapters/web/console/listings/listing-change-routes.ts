import type { Listing, ListingState } from '../../../../core/catalog/listing.ts';
import { html, type Html } from '../../markup/html.ts';
import { confirmationPage } from '../display/confirmation.ts';
import { mono, written } from '../display/parts.ts';
import { isStale, seenField } from '../form/seen.ts';
import { goTo, shown, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { listingOf, staleAnswer } from './listing-routes.ts';
import { listingPath, listingsPath, listingStateBadge, seenOf } from './listing-state.ts';

/** A change of a listing that needs nothing but a decision. */
interface Change {
  readonly name: 'publish' | 'pause' | 'delete';
  readonly verb: string;
  readonly isFinal: boolean;
  readonly heading: string;
  readonly effect: (listing: Listing) => Html;
  readonly milder: (listing: Listing) => Html | null;
  /** The state in which nothing is left to do; null without one. */
  readonly goal: ListingState | null;
  readonly run: (slug: string, request: ConsoleRequest) => Promise<unknown>;
  readonly goesTo: (slug: string) => string;
}

/** *Publish*, *Pause* and *Delete*. */
export function listingChangeRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  return changesOf(parts).flatMap((change) => routesOf(parts, change));
}

function changesOf({ administration }: ConsoleParts): readonly Change[] {
  const { deleteListing, pauseListing, publishListing } = administration;
  return [
    {
      name: 'publish',
      verb: 'Publish',
      isFinal: false,
      heading: 'Everybody can see it.',
      effect: ({ name }) => html`The marketplace and its search show ${written(name)} within a second.`,
      milder: () => null,
      goal: 'live',
      run: (slug, { call }) => publishListing(slug, call),
      goesTo: (slug) => listingPath(slug),
    },
    {
      name: 'pause',
      verb: 'Pause',
      isFinal: false,
      heading: 'The marketplace no longer shows it.',
      effect: () => html`Its page answers 404, and caches forget it within a minute. Nothing of it is lost.`,
      milder: () => null,
      goal: 'paused',
      run: (slug, { call }) => pauseListing(slug, call),
      goesTo: (slug) => listingPath(slug),
    },
    {
      name: 'delete',
      verb: 'Delete',
      isFinal: true,
      heading: 'This cannot be undone.',
      effect: ({ name }) => html`${written(name)} is removed from the marketplace and from the store.`,
      milder: ({ slug, state }) =>
        state === 'live'
          ? html`Only want to hide it for now? <a href="${listingPath(slug, 'pause')}">Pause it</a> instead.`
          : null,
      goal: null,
      run: (slug, { call }) => deleteListing(slug, call),
      goesTo: () => listingsPath,
    },
  ];
}

function routesOf({ administration }: ConsoleParts, change: Change): readonly ConsoleRoute[] {
  const { name, verb, goal, run, goesTo } = change;
  const path = listingPath(':slug', name);
  return [
    {
      id: `console${verb}ListingForm`,
      method: 'GET',
      path,
      access: 'admin:catalog',
      handle: async ({ call, parameters: { slug = '' }, view }) => {
        const listing = await listingOf(administration, slug, call);
        return shown(
          confirmationPage(view, {
            path: [
              { href: listingsPath, text: 'Listings' },
              { href: listingPath(slug), text: slug },
            ],
            here: verb,
            question: `${verb} this listing?`,
            effects: { heading: change.heading, isFinal: change.isFinal, list: [change.effect(listing)] },
            facts: [
              ['Listing', written(listing.name)],
              ['Slug', mono(slug)],
              ['State', listingStateBadge(listing)],
            ],
            milder: change.milder(listing),
            action: listingPath(slug, name),
            fields: seenField(seenOf(listing)),
            button: `${verb} listing`,
            back: { href: listingPath(slug), text: 'Keep it' },
          }),
        );
      },
    },
    {
      id: `console${verb}Listing`,
      method: 'POST',
      path,
      access: 'admin:catalog',
      handle: async (request) => {
        const { call, form, parameters } = request;
        const { slug = '' } = parameters;
        const listing =
          goal === null ? await administration.findListing(slug, call) : await listingOf(administration, slug, call);
        if (listing !== null && listing.state !== goal) {
          if (isStale(form, seenOf(listing))) return staleAnswer(form, listing, call);
          await run(slug, request);
        }
        return goTo(goesTo(slug), name);
      },
    },
  ];
}
