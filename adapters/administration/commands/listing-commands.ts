import type { SchemaObject } from 'ajv/dist/2020.js';
import type { ListingDraft } from '../../../core/catalog/administration/import-listings.ts';
import { listingRules, requiredOfListing } from '../../../core/catalog/administration/written-listing.ts';
import {
  affiliateMembers,
  affiliatePolicies,
  maxHoldDays,
  type AffiliateMembers,
} from '../../../core/catalog/affiliate-members.ts';
import { compensationTypes, listingStates, type Listing } from '../../../core/catalog/listing.ts';
import { commissionTexts, maxMonths, pageMembers, type PageMembers } from '../../../core/catalog/page-members.ts';
import { displayNameRule, oneOf } from '../../../core/parsing/value-rule.ts';
import { Refusal } from '../../../core/refusal.ts';
import { command, list, type Command, type CommandGroup } from '../declaration/command.ts';
import { givenIn, inRequests, optional, subject } from '../declaration/member.ts';
import {
  count,
  described,
  enumOf,
  flag,
  instant,
  named,
  nullableText,
  objectOf,
  orNull,
  text,
} from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';

/** The members of a listing, those of the public answer first. An import takes them. */
export const listingMembers = [
  'id',
  'slug',
  'name',
  'blurb',
  'category',
  'commissionPercent',
  'compensationType',
  'compensationLabel',
  'featured',
  'storefrontCount',
  'state',
  'publishedAt',
  'upfrontCents',
  ...pageMembers,
  'productId',
  ...affiliateMembers,
] as const satisfies readonly (keyof Listing)[];

/** The members of a listing in answers. */
const shownMembers = [...listingMembers, 'storefronts'] as const satisfies readonly (keyof Listing)[];

const slug = subject('<slug>', 'the slug of the listing');

const { slug: _, ...rulesWithoutSlug } = listingRules;

/** A listing, whose slug is in the path. */
const written = inRequests(
  rulesWithoutSlug,
  requiredOfListing.filter((member) => member !== 'slug'),
);

function stateCommand(verb: 'publish' | 'pause', does: string, summary: string): Command {
  const useCase = `${verb}Listing` as const;
  const state = verb === 'publish' ? 'live' : 'paused';
  return command({
    verb,
    does,
    operation: {
      id: useCase,
      route: `POST /admin/listings/:slug/${verb}`,
      access: 'admin:catalog',
      summary,
      description: 'Every process shows the change within a second. Repeating it changes nothing.',
      answer: { schema: 'ListingAnswer', description: 'The listing.' },
      refusals: ['listing_not_found'],
    },
    members: { slug },
    log: { [useCase]: (outcome: string, changed: string) => (outcome === 'unchanged' ? null : { slug: changed }) },
    run: async (administration, values, call) => {
      await administration[useCase](values.slug, call);
      const listing = await administration.findListing(values.slug, call);
      if (listing === null) throw new Refusal('listing_not_found'); // deleted meanwhile
      return {
        data: only(listing, shownMembers),
        shown: { slug: values.slug, state },
        text: `The listing is ${state}.`,
      };
    },
  });
}

/** The members of a listing that only pages show. The public catalog does not have them. */
const pageMemberSchemas: Readonly<Record<keyof PageMembers, SchemaObject>> = {
  url: described("The product's own page. The public catalog does not have it.", nullableText),
  imageUrl: described('An image of the product. The public catalog does not have it.', nullableText),
  description: described('A text for the page, with marks of its format.', nullableText),
  joinUrl: described('Where an affiliate joins.', nullableText),
  commissionFor: orNull(named('CommissionFor')),
  cookieDays: described('For how many days after a visit a sale is counted.', orNull(count)),
  payoutLabel: described('How the maker pays, in words.', nullableText),
  maker: nullableText,
  makerUrl: described("The maker's own page.", nullableText),
  contactUrl: described('Where an affiliate asks.', nullableText),
  pictureUrl: described('A wide picture of the product.', nullableText),
  pictureAlt: described('What the picture shows.', nullableText),
};

const affiliateMemberSchemas: Readonly<Record<keyof AffiliateMembers, SchemaObject>> = {
  affiliates: named('AffiliatePolicy'),
  saleUrl: described('Where a sale by an affiliate begins. The public catalog does not have it.', nullableText),
  holdDays: described('For how many days after a payment no commission is due.', {
    type: 'integer',
    minimum: 0,
    maximum: maxHoldDays,
  }),
};

export const listingCommands: CommandGroup = {
  name: 'listing',
  tag: { name: 'Listings', description: 'The catalog, in every state.' },
  schemas: {
    CompensationType: described('What affiliates are paid for.', enumOf(compensationTypes)),
    ListingState: described('Only `live` listings are in the public catalog.', enumOf(listingStates)),
    CommissionFor: described('What a maker pays for: the first payment, all of them, or those of so many months.', {
      anyOf: [enumOf(commissionTexts), { type: 'integer', minimum: 1, maximum: maxMonths }],
    }),
    AffiliatePolicy: described(
      'Who may promote a listing here: nobody, each affiliate that is approved, or every one at once. All but `none` need `productId`, `saleUrl`, `commissionFor` and a `compensationType` other than `upfront`.',
      enumOf(affiliatePolicies),
    ),
    Listing: objectOf({
      id: text,
      slug: text,
      name: text,
      blurb: text,
      category: text,
      commissionPercent: { type: 'number' },
      compensationType: named('CompensationType'),
      compensationLabel: text,
      featured: flag,
      storefrontCount: described('Storefronts elsewhere. The public catalog has their sum with `storefronts`.', count),
      state: named('ListingState'),
      publishedAt: instant,
      upfrontCents: count,
      ...pageMemberSchemas,
      productId: described(
        'The product whose merchants see the listing. The public catalog does not have it.',
        nullableText,
      ),
      ...affiliateMemberSchemas,
      storefronts: described('How many affiliates promote the listing here.', count),
    }),
  },
  commands: [
    list({
      does: 'list all listings in every state',
      operation: {
        id: 'listAllListings',
        route: 'GET /admin/listings',
        access: 'admin:read',
        summary: 'List listings in every state.',
        description:
          'By slug. A page looks at no more than 2,000 listings, so that one with `q` or `category` may have fewer than `limit`, even none, and still a `next`. A `next` belongs to its filter.',
        answer: { schema: 'ListingPage', description: 'A page of listings.' },
        refusals: [],
      },
      members: {
        state: {
          ...optional(null, '', oneOf(listingStates)),
          docs: 'Only listings in this state.',
          schema: named('ListingState'),
        },
        q: {
          ...optional('--search <text>', 'only those with each of these words', displayNameRule),
          docs: 'Only listings in whose name, blurb, category or slug each of these words occurs. Case and accents make no difference.',
        },
        category: {
          ...optional(null, '', listingRules.category),
          docs: 'Only listings of this category, in any case.',
        },
      },
      page: ({ listListings }, { state, q, category }, page, call) =>
        listListings({ state, search: q, category }, page, call),
      every: ({ everyListing }, { state, q, category }, newCall) =>
        everyListing({ state, search: q, category }, newCall),
      view: (listing) => only(listing, shownMembers),
      columns: ['slug', 'name', 'category', 'state'],
      flexible: ['name', 'category'],
    }),
    command({
      verb: null,
      does: '',
      operation: {
        id: 'putListing',
        route: 'PUT /admin/listings/:slug',
        access: 'admin:catalog',
        summary: 'Add a listing, or replace it.',
        description:
          'Without `state` the listing is live. A known slug keeps its `id` and, if the request gives none, its `productId` and `publishedAt`. Every process shows the change within a second.',
        request: {
          schema: 'ListingRequest',
          example: {
            name: 'Tidy',
            blurb: 'Keeps a desk tidy.',
            category: 'Productivity',
            commissionPercent: 30,
            compensationType: 'commission',
            compensationLabel: '30% commission',
            storefrontCount: 12,
          },
        },
        answer: { schema: 'ListingAnswer', description: 'The listing, which existed.', created: 'The new listing.' },
        refusals: ['product_not_found', 'limited_key', 'listing_exists'],
      },
      members: { slug, ...written },
      log: {
        putListing: ({ outcome }, draft) =>
          outcome === 'unchanged' ? null : { command: 'listing put', slug: draft.slug },
      },
      run: async ({ putListing }, values, call) => {
        const { listing, outcome } = await putListing(givenIn(values) as ListingDraft, call);
        return { data: only(listing, shownMembers), isNew: outcome === 'added' };
      },
    }),
    stateCommand('publish', 'show a listing in the public catalog', 'Show a listing in the public catalog.'),
    stateCommand('pause', 'take a listing out of the public catalog', 'Take a listing out of the public catalog.'),
    command({
      verb: 'delete',
      does: 'delete a listing for good',
      operation: {
        id: 'deleteListing',
        route: 'DELETE /admin/listings/:slug',
        access: 'admin:catalog',
        summary: 'Delete a listing.',
        description: 'A slug without a listing is no error. Every process shows the change within a second.',
        answer: { schema: 'DeletionAnswer', description: 'How many listings there were.' },
        refusals: [],
      },
      members: { slug },
      log: { deleteListing: (deleted, removed) => (deleted === 0 ? null : { slug: removed }) },
      run: async ({ deleteListing }, values, call) => {
        const deleted = await deleteListing(values.slug, call);
        return { data: { deleted }, text: deleted === 1 ? 'Deleted.' : 'There is no such listing.' };
      },
    }),
  ],
};
