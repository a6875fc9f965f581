import type { Call, NewCall } from '../call.ts';
import type { AllListings } from '../catalog/administration/all-listings.port.ts';
import type { Listing } from '../catalog/listing.ts';
import type { Listings } from '../catalog/listings.port.ts';
import { untilStored } from '../compare-and-set.ts';
import { walk } from '../paging/walk.ts';
import type { Promotion } from './promotion.ts';
import type { Promotions } from './promotions.port.ts';

/**
 * Brings the number of live promotions into a listing. Of several that count at once, the last one to write counts again, so
 * that what stays is right. An unknown listing has none.
 */
export type RecountStorefronts = (slug: string, call: Call) => Promise<void>;

export interface StorefrontPorts {
  readonly allListings: Pick<AllListings, 'find'>;
  readonly listings: Pick<Listings, 'setStorefronts'>;
  readonly promotions: Pick<Promotions, 'count' | 'page'>;
}

export function recountStorefronts(ports: StorefrontPorts): RecountStorefronts {
  return (slug, given) => {
    // The listing is counted as a whole, even for a limited caller.
    const call = { ...given, products: null };
    return untilStored(call, async () => {
      const listing = await ports.allListings.find(slug, call);
      if (listing === null) return;
      const count = await countStorefronts(ports, listing, call);
      if (count === listing.storefronts) return;
      await ports.listings.setStorefronts(slug, count, call);
      return 'stale';
    });
  };
}

/** Counts the live promotions of a listing for its product. */
export async function countStorefronts(
  { promotions }: Pick<StorefrontPorts, 'promotions'>,
  { slug, productId }: Pick<Listing, 'slug' | 'productId'>,
  call: Call,
): Promise<number> {
  return productId === null ? 0 : promotions.count(slug, productId, call);
}

/** Recounts every listing with a promotion, so that a process that has ended between a promotion and its count is made good. */
export type RecountAllStorefronts = (newCall: NewCall, isStopped: () => boolean) => Promise<void>;

export function recountAllStorefronts(ports: StorefrontPorts): RecountAllStorefronts {
  const recount = recountStorefronts(ports);
  return async (newCall, isStopped) => {
    for (const slug of await promotedSlugs(ports, newCall)) {
      if (isStopped()) return;
      await recount(slug, newCall());
    }
  };
}

const everything = { handle: null, slug: null, productId: null, state: null };

/** The slugs of all promotions. */
export async function promotedSlugs(
  { promotions }: Pick<StorefrontPorts, 'promotions'>,
  newCall: NewCall,
): Promise<ReadonlySet<string>> {
  const slugs = new Set<string>();
  const all = walk<Promotion>((after, limit, call) => promotions.page({ ...everything, after, limit }, call), newCall);
  for await (const { slug } of all) slugs.add(slug);
  return slugs;
}
