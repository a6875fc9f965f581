import type { Call } from '../call.ts';
import type { AllListings } from '../catalog/administration/all-listings.port.ts';
import { isSameListing, type Listing } from '../catalog/listing.ts';
import type { Listings, ListingToPut } from '../catalog/listings.port.ts';
import { untilStored } from '../compare-and-set.ts';
import { inOrder, requireReach, requireUnlimited, visible } from '../reach.ts';
import { Refusal } from '../refusal.ts';

export function limitedAllListings(all: AllListings): AllListings {
  return {
    find: async (slug, call) => visible(await all.find(slug, call), call),

    page: (part, call) => all.page(call.products === null ? part : { ...part, products: inOrder(call.products) }, call),

    categories: (products, limit, call) =>
      all.categories(call.products === null ? products : inOrder(call.products), limit, call),

    delete: (slug, _products, call) => all.delete(slug, call.products, call),
  };
}

/**
 * A listing can be deleted, and its slug taken by another, at any time. So every write of a limited caller is made on the
 * listing that was seen.
 */
export function limitedListings(listings: Listings, all: AllListings): Listings {
  const putOne = putListing(listings, all);
  return {
    // The catalog of all products, which the public port reads.
    load: async (call) => {
      requireUnlimited(call);
      return listings.load(call);
    },

    changesSince: async (cursor, call) => {
      requireUnlimited(call);
      return listings.changesSince(cursor, call);
    },

    put: async (drafts, call) => {
      if (call.products === null) return listings.put(drafts, call);
      const outcomes: ('stored' | 'id taken')[] = [];
      for (const draft of drafts) outcomes.push(await putOne(draft, call));
      return outcomes;
    },

    replace: async (seen, next, call) => {
      if (call.products === null) return listings.replace(seen, next, call);
      requireReach(call, next.productId, ...(seen === null ? [] : [seen.productId]));
      const outcome = await listings.replace(seen, ranked(next, seen, call), call);
      const isHidden = outcome.kind === 'stale' && isOfAnother(await all.find(next.slug, call), call);
      if (isHidden) throw new Refusal('listing_exists');
      return outcome;
    },

    // A slug or an id that another has is taken.
    findExisting: (keys, call) => listings.findExisting(keys, call),

    setState: async (slug, state, call) => {
      if (call.products === null) return listings.setState(slug, state, call);
      return untilStored(call, async () => {
        const seen = visible(await all.find(slug, call), call);
        if (seen === null) return 'not found';
        if (seen.state === state) return 'unchanged';
        const { kind } = await listings.replace(seen, { ...seen, state }, call);
        return kind === 'replaced' ? 'stored' : 'stale';
      });
    },

    // A number that follows from promotions: one that is written for a listing that was replaced meanwhile is counted again.
    setStorefronts: async (slug, count, call) => {
      if (call.products !== null && visible(await all.find(slug, call), call) === null) return 'not found';
      return listings.setStorefronts(slug, count, call);
    },
  };
}

/** Puts a listing where a limited caller sees one or nothing. A slug that another has is taken. */
function putListing(listings: Listings, all: AllListings) {
  return (draft: ListingToPut, call: Call): Promise<'stored' | 'id taken'> =>
    untilStored(call, async () => {
      const seen = await all.find(draft.slug, call);
      if (isOfAnother(seen, call)) return 'id taken';
      const productId = draft.productId === undefined ? (seen?.productId ?? null) : draft.productId;
      requireReach(call, productId);
      const next = ranked({ ...draft, productId, id: seen?.id ?? draft.id, publishedAt: call.now }, seen, call);
      if (isSameListing(seen, next)) return 'stored';
      if ((await listings.replace(seen, next, call)).kind === 'replaced') return 'stored';
      const isIdTaken =
        seen === null && (await listings.findExisting({ slugs: [], ids: [next.id] }, call)).ids.size > 0;
      return isIdTaken && (await all.find(next.slug, call)) === null ? 'id taken' : 'stale';
    });
}

function isOfAnother(stored: Listing | null, call: Call): boolean {
  return stored !== null && visible(stored, call) === null;
}

/** The members that rank in the catalog are the owner's: a limited caller keeps them, or begins with the least. */
function ranked(next: Listing, seen: Listing | null, { now }: Call): Listing {
  const { featured, storefrontCount, publishedAt } = seen ?? { featured: false, storefrontCount: 0, publishedAt: now };
  return { ...next, featured, storefrontCount, publishedAt };
}
