import type { Call } from '../../../../core/call.ts';
import type { Listing, ListingState } from '../../../../core/catalog/listing.ts';
import { html, type Html } from '../../markup/html.ts';
import { confirmationPage } from '../display/confirmation.ts';
import { mono, written } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { seenField } from '../form/seen.ts';
import { goTo, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes, noFields } from '../frame/form-routes.ts';
import { listingOf, seenListing } from './listing-routes.ts';
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
  readonly run: (slug: string, call: Call) => Promise<unknown>;
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
      run: (slug, call) => publishListing(slug, call),
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
      run: (slug, call) => pauseListing(slug, call),
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
      run: (slug, call) => deleteListing(slug, call),
      goesTo: () => listingsPath,
    },
  ];
}

function routesOf({ administration }: ConsoleParts, change: Change): readonly ConsoleRoute[] {
  const { name, verb, goal, run, goesTo } = change;
  return formRoutes({
    ...noFields,
    name: `${verb}Listing`,
    path: listingPath(':slug', name),
    access: 'admin:catalog',
    find: ({ call, parameters: { slug = '' } }) => listingOf(administration, slug, call),
    gone: goal === null ? { code: 'listing_not_found', answer: goTo(listingsPath, name) } : undefined,
    page: ({ view }, listing) => askPage(view, change, listing),
    seen: seenListing,
    isDone: (_values, { state }) => state === goal,
    act: async (_values, { slug }, { call }) => {
      await run(slug, call);
      return goTo(goesTo(slug), name);
    },
  });
}

function askPage(view: PageView, change: Change, listing: Listing): PageContent {
  const { name, verb, heading, isFinal, effect, milder } = change;
  const { slug } = listing;
  return confirmationPage(view, {
    path: [
      { href: listingsPath, text: 'Listings' },
      { href: listingPath(slug), text: slug },
    ],
    here: verb,
    question: `${verb} this listing?`,
    effects: { heading, isFinal, list: [effect(listing)] },
    facts: [
      ['Listing', written(listing.name)],
      ['Slug', mono(slug)],
      ['State', listingStateBadge(listing)],
    ],
    milder: milder(listing),
    action: listingPath(slug, name),
    fields: seenField(seenOf(listing)),
    button: `${verb} listing`,
    back: { href: listingPath(slug), text: 'Keep it' },
  });
}
