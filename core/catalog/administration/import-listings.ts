import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Mistake } from '../../parsing/read-members.ts';
import type { Products } from '../../product/products.port.ts';
import { missingForAffiliates, noAffiliateMembers, type AffiliateMembers } from '../affiliate-members.ts';
import type { Listing } from '../listing.ts';
import type { Listings, ListingToPut } from '../listings.port.ts';
import { noPageMembers, type PageMembers } from '../page-members.ts';
import type { AllListings } from './all-listings.port.ts';

/** A listing as the administrator gives it, without the members that have a default. */
export type ListingDraft = Omit<Listing, Defaulted | 'storefronts'> & Partial<Pick<Listing, Defaulted>>;

type Defaulted =
  | 'id'
  | 'productId'
  | 'featured'
  | 'storefrontCount'
  | 'publishedAt'
  | 'upfrontCents'
  | 'state'
  | keyof PageMembers
  | keyof AffiliateMembers;

/** The outcome of a draft. `limited`: it is of no product that the caller reaches. Mistakes say what its affiliates need. */
export type ImportedListing = 'stored' | NotPut | 'id taken';

type NotPut = 'product not found' | 'limited' | readonly Mistake[];

/**
 * Stores each draft under its slug, and returns the outcomes in the order of the drafts. A known slug keeps its id and, if
 * the draft has none, its product.
 */
export type ImportListings = (drafts: readonly ListingDraft[], call: Call) => Promise<readonly ImportedListing[]>;

export function importListings(
  listings: Pick<Listings, 'put'>,
  allListings: Pick<AllListings, 'find'>,
  products: Pick<Products, 'find'>,
  newId: NewId,
): ImportListings {
  return async (drafts, call) => {
    const complete = await Promise.all(drafts.map((draft) => withKeptProduct(draft, allListings, call)));
    const refusals = await refusalsOf(complete, allListings, products, call);
    const accepted = complete.filter((_draft, index) => refusals[index] === null);
    const puts = accepted.map((draft) => putOf(draft, completeListing(draft, newId, call.now)));
    const outcomes = (await listings.put(puts, call)).values();
    return refusals.map((refusal) => refusal ?? outcomes.next().value ?? 'id taken');
  };
}

/** A complete listing, which keeps its product if the draft has none. */
export function putOf({ productId }: Pick<ListingDraft, 'productId'>, complete: Listing): ListingToPut {
  return { ...complete, productId };
}

/**
 * Adds the product that a known listing has to a draft of it that has affiliates and names none, so that what is put is what
 * was checked.
 */
async function withKeptProduct(
  draft: ListingDraft,
  allListings: Pick<AllListings, 'find'>,
  call: Call,
): Promise<ListingDraft> {
  const { affiliates = noAffiliateMembers.affiliates, productId = null, slug } = draft;
  if (affiliates === 'none' || productId !== null) return draft;
  return keepingProduct(draft, await allListings.find(slug, call));
}

/** A draft with the product of the known listing, if it has affiliates and names no product. */
export function keepingProduct(draft: ListingDraft, known: Pick<Listing, 'productId'> | null): ListingDraft {
  const { affiliates = noAffiliateMembers.affiliates, productId = null } = draft;
  const kept = known?.productId ?? null;
  return affiliates === 'none' || productId !== null || kept === null ? draft : { ...draft, productId: kept };
}

/** Finds the members that a draft lacks to be promoted by affiliates. */
export function mistakesOf(draft: ListingDraft): readonly Mistake[] {
  const { productId = null, compensationType } = draft;
  return missingForAffiliates({ ...noPageMembers, ...noAffiliateMembers, ...draft, productId, compensationType });
}

/**
 * Finds the drafts that are not put at all: those of an unknown product, new ones of none by a limited caller, and those that
 * lack what their affiliates need.
 */
async function refusalsOf(
  drafts: readonly ListingDraft[],
  allListings: Pick<AllListings, 'find'>,
  products: Pick<Products, 'find'>,
  call: Call,
): Promise<readonly (NotPut | null)[]> {
  const ids = [...new Set(drafts.map(({ productId }) => productId ?? null))].filter((id) => id !== null);
  const found = await Promise.all(ids.map((id) => products.find(id, call)));
  const known = new Set(found.map((product) => product?.id ?? null));
  return Promise.all(
    drafts.map(async (draft) => {
      const { productId = null, slug } = draft;
      const mistakes = mistakesOf(draft);
      if (mistakes.length > 0) return mistakes;
      if (productId !== null) return known.has(productId) ? null : 'product not found';
      return call.products === null || (await allListings.find(slug, call)) !== null ? null : 'limited';
    }),
  );
}

/** Begins a dry run, which returns the outcomes that an import would have and stores nothing. */
export type DryRunOfListings = () => ImportListings;

export function dryRunOfListings(
  listings: Pick<Listings, 'findExisting'>,
  allListings: Pick<AllListings, 'find'>,
  products: Pick<Products, 'find'>,
  newId: NewId,
): DryRunOfListings {
  return () => importListings(new PutDryRun(listings, allListings), allListings, products, newId);
}

/** Makes a listing of a draft, with the defaults for members that are left out. */
export function completeListing(draft: ListingDraft, newId: NewId, now: Date): Listing {
  return {
    ...noPageMembers,
    ...noAffiliateMembers,
    ...draft,
    id: draft.id ?? newId(),
    productId: draft.productId ?? null,
    featured: draft.featured ?? false,
    storefrontCount: draft.storefrontCount ?? 0,
    storefronts: 0,
    publishedAt: draft.publishedAt ?? now,
    upfrontCents: draft.upfrontCents ?? 0,
    state: draft.state ?? 'live',
  };
}

/**
 * Returns the outcomes that `Listings.put` would have, and stores nothing. It remembers the slugs and ids that it would
 * have stored, so that later batches conflict with them: use one for each import.
 */
class PutDryRun implements Pick<Listings, 'put'> {
  readonly #listings: Pick<Listings, 'findExisting'>;
  readonly #allListings: Pick<AllListings, 'find'>;
  readonly #slugs = new Set<string>();
  readonly #ids = new Set<string>();

  constructor(listings: Pick<Listings, 'findExisting'>, allListings: Pick<AllListings, 'find'>) {
    this.#listings = listings;
    this.#allListings = allListings;
  }

  async put(listings: readonly ListingToPut[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    const keys = { slugs: listings.map(({ slug }) => slug), ids: listings.map(({ id }) => id) };
    const stored = await this.#listings.findExisting(keys, call);
    const hidden = await this.#hiddenOf(stored.slugs, call);
    return listings.map(({ slug, id }) => {
      if (hidden.has(slug)) return 'id taken';
      // A slug that exists keeps its id.
      if (stored.slugs.has(slug) || this.#slugs.has(slug)) return 'stored';
      if (stored.ids.has(id) || this.#ids.has(id)) return 'id taken';
      this.#slugs.add(slug);
      this.#ids.add(id);
      return 'stored';
    });
  }

  /** The slugs of listings that the caller cannot see. */
  async #hiddenOf(slugs: ReadonlySet<string>, call: Call): Promise<ReadonlySet<string>> {
    if (call.products === null) return new Set();
    const found = await Promise.all([...slugs].map((slug) => this.#allListings.find(slug, call)));
    const own = new Set(found.map((listing) => listing?.slug ?? null));
    return new Set([...slugs].filter((slug) => !own.has(slug)));
  }
}
