import type { Administration } from '../../../../core/administration/administration.ts';
import type { Call } from '../../../../core/call.ts';
import { noAffiliateMembers } from '../../../../core/catalog/affiliate-members.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import { untilStored } from '../../../../core/compare-and-set.ts';
import { isDrafter } from '../../../../core/key/operator/operator-key.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { html } from '../../markup/html.ts';
import { pageIn } from '../display/paging.ts';
import { mono, statusLine } from '../display/parts.ts';
import type { PageContent } from '../display/view.ts';
import { noMistakes, type FormState } from '../form/fields.ts';
import { mistakesIn, proposed, refusedField, typedIn } from '../form/form-reading.ts';
import { pictureRemarks } from '../form/picture-remarks.ts';
import { isStale, seenIn } from '../form/seen.ts';
import { changedSince, type SeenThing } from '../frame/changed-meanwhile.ts';
import {
  goTo,
  shown,
  wrongForm,
  type ConsoleAnswer,
  type ConsoleRequest,
  type ConsoleRoute,
} from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { twoSteps } from '../frame/form-routes.ts';
import { countedItems } from '../list/list-page.ts';
import { offeredProducts, productChoices } from '../products/product-choices.ts';
import { listingEditPage } from './listing-edit-page.ts';
import { productField, slugField } from './listing-fields.ts';
import { filterOf, readFilter } from './listing-filter.ts';
import { formOf, readListingForm, type ListingFields } from './listing-form.ts';
import { addListingPath, listingListDone, listingListPage } from './listing-list-page.ts';
import { listingDone, listingFormLimit, listingPath, listingsPath, maySave, seenOf } from './listing-state.ts';
import { previewCard, storefrontsText } from './preview-card.ts';
import { differences, reviewPage } from './review-page.ts';

/** Finds a listing. Refuses with `listing_not_found`. */
export async function listingOf({ findListing }: Administration, slug: string, call: Call): Promise<Listing> {
  const listing = await findListing(slug, call);
  if (listing === null) throw new Refusal('listing_not_found');
  return listing;
}

/** The values that the form of a new listing proposes. */
const newListing = {
  compensationType: 'commission',
  storefrontCount: '0',
  affiliates: noAffiliateMembers.affiliates,
  holdDays: String(noAffiliateMembers.holdDays),
};

/** The access and size of forms that save a listing. */
const saving = {
  access: 'admin:catalog',
  accessOf: (key) => (isDrafter(key) ? 'admin:entitlements' : 'admin:catalog'),
  bodyLimit: listingFormLimit,
} as const satisfies Pick<ConsoleRoute, 'access' | 'accessOf' | 'bodyLimit'>;

export function listingRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { administration } = parts;
  const path = listingPath(':slug');
  return [
    {
      id: 'consoleListings',
      method: 'GET',
      path: listingsPath,
      access: 'admin:read',
      handle: (request) => answerList(parts, request),
    },
    ...twoSteps({
      ...saving,
      name: 'AddListing',
      path: addListingPath,
      ask: async (request) => shown(await editPage(parts, request, null, proposed(newListing))),
      answer: (request) => untilStored(request.call, () => answerForm(parts, request, null)),
    }),
    {
      id: 'consoleListing',
      method: 'GET',
      path,
      access: 'admin:read',
      handle: async (request) => {
        const listing = await listingOf(administration, request.parameters['slug'] ?? '', request.call);
        return shown(await editPage(parts, request, listing, proposed(formOf(listing))));
      },
    },
    {
      ...saving,
      id: 'consoleSaveListing',
      method: 'POST',
      path,
      handle: (request) =>
        untilStored(request.call, async () =>
          answerForm(parts, request, await listingOf(administration, request.parameters['slug'] ?? '', request.call)),
        ),
    },
  ];
}

async function answerList(
  { administration }: ConsoleParts,
  { call, query, view }: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const parameters = new URLSearchParams(query);
  const { after, limit } = pageIn(parameters);
  const reading = readFilter(parameters);
  const part = {
    after,
    filter: filterOf(parameters),
    categories: await administration.listCategories(call),
    size: await administration.countList({ kind: 'listings', products: null }, countedItems, call),
  };
  const done = statusLine(query, listingListDone);
  if (reading.kind === 'wrong') {
    const page = listingListPage(view, { ...part, page: null, mistakes: reading.mistakes }, done);
    return wrongForm(page, 'invalid_parameter');
  }
  const page = await administration.listListings(reading.values, { after, limit }, call);
  return shown(listingListPage(view, { ...part, page, mistakes: noMistakes }, done));
}

async function editPage(
  { administration, imageHosts, marketplaceUrl }: ConsoleParts,
  { call, query, view }: ConsoleRequest,
  listing: Listing | null,
  state: FormState,
): Promise<PageContent> {
  const here = listing?.storefronts ?? 0;
  return listingEditPage(view, {
    listing,
    state: { ...state, remarks: pictureRemarks(state.typed, imageHosts) },
    products: productChoices(await offeredProducts(administration, call), state.typed('productId')),
    categories: await administration.listCategories(call),
    // The form of a known listing does not have its slug.
    preview: previewCard((name) => (name === 'slug' && listing !== null ? listing.slug : state.typed(name)), here),
    storefronts: listing === null ? null : storefrontsText(state.typed, here),
    marketplace: listing === null ? null : (marketplaceUrl?.(listing.slug) ?? null),
    done: statusLine(query, listingDone),
  });
}

/** Answers the form of a listing, by the button that has sent it. `stale` if the listing has changed since it was read. */
async function answerForm(
  parts: ConsoleParts,
  request: ConsoleRequest,
  listing: Listing | null,
): Promise<ConsoleAnswer | 'stale'> {
  const { administration } = parts;
  const { call, form, view } = request;
  const step = form.get('step');
  if (!maySave(view, listing)) return publishedSince(request, listing);
  if (step === 'preview' || step === 'edit') {
    return shown(await editPage(parts, request, listing, typedIn(form)));
  }
  const reading = readListingForm(form, listing, view.isLimited);
  if (reading.kind === 'wrong') {
    return wrongForm(await editPage(parts, request, listing, typedIn(form, reading.mistakes)));
  }
  const { values } = reading;
  const done = goTo(listingPath(values.slug), listing === null ? 'added' : 'saved');
  const known = listing ?? (await administration.findListing(values.slug, call));
  const isDone = known !== null && differences(known, values).length === 0;
  if (step === 'save' && isDone) return done;
  if (listing === null && known !== null && !isDone) {
    const mistakes = mistakesIn([slugField], [slugTaken]);
    return wrongForm(await editPage(parts, request, null, typedIn(form, mistakes)));
  }
  if (listing !== null && isStale(form, seenOf(listing))) return changedSince(form, seenListing(listing), call);
  if (step !== 'save') {
    const remarks = pictureRemarks(typedIn(form).typed, parts.imageHosts);
    const changes = differences(listing, values);
    const page = pageOf(values, listing, call.now);
    return shown(reviewPage(view, { listing, state: { ...typedIn(form), remarks }, changes, page }));
  }
  try {
    const save = view.isDrafter ? administration.saveDraft : administration.saveListing;
    const { kind } = await save(listing, { ...values, state: listing?.state ?? 'draft' }, call);
    return kind === 'stale' ? kind : done;
  } catch (cause) {
    const mistakes = refusedField(cause, refusedMembers, [slugField, productField]);
    return wrongForm(await editPage(parts, request, listing, typedIn(form, mistakes)));
  }
}

/** Answers a form of a listing that is no draft any more, from somebody who only drafts. */
function publishedSince({ call, form }: ConsoleRequest, listing: Listing | null): ConsoleAnswer {
  const isLate = listing !== null && seenIn(form) !== null && isStale(form, seenOf(listing));
  if (isLate) return changedSince(form, seenListing(listing), call);
  throw new Refusal('insufficient_scope', { scope: 'admin:catalog' });
}

/** The listing as the marketplace will show it. The console loads no pictures of other hosts. */
function pageOf(values: ListingFields, listing: Listing | null, now: Date): Listing {
  const { id = '', publishedAt = now, state = 'draft', storefronts = 0 } = listing ?? {};
  return { ...values, id, publishedAt, state, storefronts };
}

const slugTaken = { member: 'slug', problem: 'is that of another listing' };

/** The mistakes for which a save is refused, by field. */
const refusedMembers = {
  listing_exists: slugTaken,
  product_not_found: { member: 'productId', problem: 'must be that of a product that exists' },
};

/** A listing as it is now, whose form carries the values that were shown. */
export function seenListing(listing: Listing): SeenThing {
  const { slug } = listing;
  return { now: seenOf(listing), intent: html`change ${mono(slug)}.`, back: listingPath(slug) };
}
