import * as fc from 'fast-check';
import type { CatalogRenderer } from '../../../core/catalog/catalog.port.ts';
import type { ListingPage } from '../../../core/catalog/listing-page.ts';
import { readListingQuery, type ListingParameter, type ListingQuery } from '../../../core/catalog/listing-query.ts';
import { compensationTypes, listingStates, type Listing, type ListingState } from '../../../core/catalog/listing.ts';
import type { Listings } from '../../../core/catalog/listings.port.ts';
import type { CommissionFor } from '../../../core/catalog/page-members.ts';
import { aCall, aListing, later } from '../builders.ts';

/** Words that are hard to search: accents, compatibility forms, emoji, other scripts, wildcards, words within words. */
const words: readonly string[] = [
  'Café CAFE cafetière résumé ﬁle file Ｆｕｌｌ full naïve Ångström Straße strasse Łódź lodz Smørrebrød smorrebrod Œuvre oeuvre İstanbul пример ёлка елка',
  '🚀 👩‍💻 🚀rocket 東京 東京都 ガイド カイト 한국어 हिन्दी a e-mail mail <b> &amp; 100% % _ .* . * ( [a-z] \\ $ " \'',
  'x'.repeat(200),
].flatMap((line) => line.split(' '));

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }) },
);
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));
const slug = fc.integer({ min: 0, max: 40 }).map((number) => `listing-${number}.x`);
const category = fc.constantFrom('Writing', 'writing', 'Café tools', '🚀', 'Ｆ', 'Data', 'data', 'DATA');

/** A listing of few different values, so that orders have ties. Its id follows from its slug. */
export const anyListing: fc.Arbitrary<Listing> = fc
  .record({
    slug,
    name: text,
    blurb: text,
    category,
    commissionPercent: fc.constantFrom(0, 12.5, 19.99, 20, 30, 50, 100),
    compensationType: fc.constantFrom(...compensationTypes),
    featured: fc.boolean(),
    storefrontCount: fc.constantFrom(0, 1, 4, 5, 10, 1000),
    storefronts: fc.constantFrom(0, 0, 1, 4, 5),
    state: fc.constantFrom(...listingStates, 'live', 'live'),
    publishedAt: fc.integer({ min: 0, max: 3 }).map(later),
    upfrontCents: fc.constantFrom(0, 1, 5000),
    url: fc.constantFrom(null, 'https://tidy.example', 'https://other.example/?a=%20#b'),
    imageUrl: fc.constantFrom(null, 'https://images.example/1.png'),
    description: fc.constantFrom(null, '', '- a\n- b'),
    commissionFor: fc.constantFrom<CommissionFor | null>(null, 'first_payment', 'lifetime', 1, 12),
    cookieDays: fc.constantFrom(null, 0, 60),
    pictureAlt: fc.constantFrom(null, '', 'A picture'),
  })
  .map((fields) => aListing({ ...fields, id: `id_${fields.slug.slice(8)}` }));

/** Listings with different slugs. */
export const anyCatalog = fc.uniqueArray(anyListing, { selector: (listing) => listing.slug, maxLength: 30 });

/** Puts listings with the storefronts that they have here. */
export async function putCounted(listings: Listings, catalog: readonly Listing[]): Promise<void> {
  await listings.put(catalog, aCall());
  for (const each of catalog) await listings.setStorefronts(each.slug, each.storefronts, aCall());
}

/** A change of the catalog by the administrator. */
export type CatalogChange =
  | { readonly kind: 'import'; readonly listings: readonly Listing[] }
  | { readonly kind: 'set state'; readonly slug: string; readonly state: ListingState };

export const anyCatalogChange: fc.Arbitrary<CatalogChange> = fc.oneof(
  anyCatalog.map((listings) => ({ kind: 'import' as const, listings })),
  fc.record({ kind: fc.constant('set state'), slug, state: fc.constantFrom('live', 'paused') }),
);

export async function change(listings: Listings, next: CatalogChange): Promise<void> {
  if (next.kind === 'import') await listings.put(next.listings, aCall());
  else await listings.setState(next.slug, next.state, aCall());
}

const parameters: fc.Arbitrary<Partial<Record<ListingParameter, string>>> = fc.record(
  {
    q: fc.oneof(text, fc.constantFrom('e', '%', ' ', '.*', 'CAFÉ', 'x'.repeat(300), 'listing-1', 'g-1.')),
    sort: fc.constantFrom('charts', 'new', 'reward', 'CHARTS'),
    compensation: fc.constantFrom('all', 'commission', 'upfront', 'both', ''),
    category: fc.oneof(category, fc.constantFrom('WRITING', 'none', '')),
    minCommission: fc.constantFrom('20', '30', '50', '40', '020'),
    minStorefronts: fc.constantFrom('1', '5', '10', '2', ' 5'),
    offset: fc.constantFrom('0', '1', '5', '40', '-1', 'x', '99999999999'),
    limit: fc.constantFrom('1', '3', '48', '0', '49', '1.5'),
  },
  { requiredKeys: [] },
);

export const anyQuery: fc.Arbitrary<ListingQuery> = parameters.map(queryOf);

/** Reads a query from parameters that are given once each. */
export function queryOf(given: Partial<Record<ListingParameter, string>>): ListingQuery {
  return readListingQuery((name) => given[name] ?? null);
}

/** Renders a page as the JSON of the oracle's page, and a listing as its JSON. */
export const plainRenderer: CatalogRenderer = {
  listing: (listing) => JSON.stringify(listing),
  categories: (categories) => JSON.stringify(categories),
  page: (listings, meta, categories) =>
    `{"listings":[${listings.join(',')}],"meta":${JSON.stringify(meta)},"categories":${categories}}`,
  detail: (listing) => listing,
};

/** The oracle's page as `plainRenderer` renders it. */
export function plainPage(page: ListingPage): unknown {
  return JSON.parse(JSON.stringify(page));
}
