import type { Call } from '../../call.ts';
import type { ReplaceOutcome } from '../../compare-and-set.ts';
import type { NewId } from '../../identifier.ts';
import type { Products } from '../../product/products.port.ts';
import { Refusal } from '../../refusal.ts';
import { isSameListing, type Listing } from '../listing.ts';
import type { Listings } from '../listings.port.ts';
import type { AllListings } from './all-listings.port.ts';
import { completeListing, keepingProduct, mistakesOf, putOf, type ListingDraft } from './import-listings.ts';

/** A listing after it was put, and whether that has changed anything. */
export interface PutListingAnswer {
  readonly listing: Listing;
  readonly outcome: 'added' | 'replaced' | 'unchanged';
}

/**
 * Stores a listing under its slug. A known slug keeps its id and, if the draft has none, its product and the instant of its
 * publication, so that putting a listing again changes nothing. A limited caller does not change what ranks a listing.
 * Refuses with `invalid_body` if it lacks what its affiliates need; with `product_not_found`; with `listing_exists` if another slug has the id; and, for a limited caller, with
 * `listing_exists` for the slug of another and with `limited_key` for a new one without a product.
 */
export type PutListing = (draft: ListingDraft, call: Call) => Promise<PutListingAnswer>;

export function putListing(
  listings: Listings,
  allListings: AllListings,
  products: Pick<Products, 'find'>,
  newId: NewId,
): PutListing {
  return async (given, call) => {
    const known = await allListings.find(given.slug, call);
    const draft = keepingProduct(given, known);
    requireForAffiliates(draft);
    await requireProduct(products, draft, call);
    const wanted = completeListing(draft, newId, call.now);
    const isKept = known !== null && isSameListing(known, kept(wanted, draft, known));
    if (isKept) return { listing: known, outcome: 'unchanged' };
    const { publishedAt = null } = draft;
    const [outcome] = await listings.put([{ ...putOf(draft, wanted), publishedAt }], call);
    if (outcome === 'id taken') throw new Refusal('listing_exists');
    const stored = (await allListings.find(draft.slug, call)) ?? wanted;
    if (known === null) return { listing: stored, outcome: 'added' };
    return { listing: stored, outcome: isSameListing(known, stored) ? 'unchanged' : 'replaced' };
  };
}

async function requireProduct(
  products: Pick<Products, 'find'>,
  { productId = null }: Pick<ListingDraft, 'productId'>,
  call: Call,
): Promise<void> {
  if (productId !== null && (await products.find(productId, call)) === null) throw new Refusal('product_not_found');
}

function requireForAffiliates(draft: ListingDraft): void {
  const mistakes = mistakesOf(draft);
  if (mistakes.length === 0) return;
  const message = mistakes.map(({ member, problem }) => `${member} ${problem}.`).join(' ');
  throw new Refusal('invalid_body', { message });
}

/** The listing that is stored over a known one. */
function kept(wanted: Listing, draft: ListingDraft, { id, productId, publishedAt }: Listing): Listing {
  return {
    ...wanted,
    id,
    productId: draft.productId ?? productId,
    publishedAt: draft.publishedAt ?? publishedAt,
  };
}

/**
 * Stores the members of a draft over a listing as somebody has seen it, or adds a listing where none was seen (null). If
 * there is anything else by now, nothing is stored: `stale`. A draft with a null product takes it out of its product.
 * Refuses with `invalid_body` and `product_not_found`, and as `PutListing` does for a limited caller.
 */
export type SaveListing = (
  seen: Listing | null,
  draft: Omit<ListingDraft, 'id'>,
  call: Call,
) => Promise<ReplaceOutcome>;

export function saveListing(
  listings: Pick<Listings, 'replace'>,
  products: Pick<Products, 'find'>,
  newId: NewId,
): SaveListing {
  return async (seen, draft, call) => {
    requireForAffiliates(draft);
    await requireProduct(products, draft, call);
    return listings.replace(seen, completeListing({ ...seen, ...draft }, newId, call.now), call);
  };
}

/**
 * Saves a listing that is a draft, and stays one: for those who may not publish. Refuses a listing in another state with
 * `insufficient_scope`, and anything else as `SaveListing` does.
 */
export function saveDraft(save: SaveListing): SaveListing {
  return async (seen, draft, call) => {
    if (seen !== null && seen.state !== 'draft') throw new Refusal('insufficient_scope', { scope: 'admin:catalog' });
    return save(seen, { ...draft, state: 'draft' }, call);
  };
}

/** Deletes a listing, on every process within a second. Returns the number deleted: 0 for an unknown slug. */
export type DeleteListing = (slug: string, call: Call) => Promise<0 | 1>;

export function deleteListing(listings: AllListings): DeleteListing {
  return (slug, call) => listings.delete(slug, call.products, call);
}
