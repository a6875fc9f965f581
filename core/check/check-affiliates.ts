import type { Affiliates } from '../affiliate/affiliates.port.ts';
import type { Promotion } from '../affiliate/promotion.ts';
import type { Promotions } from '../affiliate/promotions.port.ts';
import { countStorefronts, promotedSlugs } from '../affiliate/recount-storefronts.ts';
import type { Sale } from '../affiliate/sale/sale.ts';
import type { Sales } from '../affiliate/sale/sales.port.ts';
import type { NewCall } from '../call.ts';
import type { AllListings } from '../catalog/administration/all-listings.port.ts';
import { walk } from '../paging/walk.ts';
import type { EventFaults } from './event-faults.ts';

export interface AffiliateCheckParts {
  readonly affiliates: Pick<Affiliates, 'find'>;
  readonly allListings: Pick<AllListings, 'find'>;
  readonly promotions: Promotions;
  readonly sales: Pick<Sales, 'page'>;
}

const everything = { handle: null, slug: null, productId: null, state: null };
const everySale = { productId: null, handle: null, currency: null };

/** Checks that no promotion goes on whose affiliate has ended. */
export async function checkPromotions(
  { affiliates, promotions }: AffiliateCheckParts,
  faults: EventFaults,
  newCall: NewCall,
): Promise<void> {
  const all = walk<Promotion>((after, limit, call) => promotions.page({ ...everything, after, limit }, call), newCall);
  for await (const { handle, slug, state } of all) {
    if (state === 'ended') continue;
    const affiliate = await affiliates.find(handle, newCall());
    if (affiliate === null) faults.add(`Promotion ${handle} ${slug} is of an affiliate who does not exist.`);
    else if (affiliate.state === 'ended') {
      faults.add(`Affiliate ${handle} has ended, but not the promotion of ${slug}: repeat affiliate end.`);
    }
  }
}

/** Checks that each sale is of an affiliate who exists, and of a promotion that this affiliate has of its product. */
export async function checkSellers(
  { affiliates, promotions, sales }: AffiliateCheckParts,
  faults: EventFaults,
  newCall: NewCall,
): Promise<void> {
  const known = new Set<string>();
  const all = walk<Sale>((after, limit, call) => sales.page({ ...everySale, after, limit }, call), newCall);
  for await (const { id, handle, slug, productId } of all) {
    const name = `${handle} ${slug} ${productId}`;
    if (known.has(name)) continue;
    if ((await affiliates.find(handle, newCall())) === null) {
      faults.add(`Sale ${id} is of the affiliate ${handle}, who does not exist.`);
    } else if ((await promotions.find(handle, slug, newCall()))?.productId !== productId) {
      faults.add(`Sale ${id} is of a promotion of ${slug} for product ${productId}, which ${handle} does not have.`);
    } else known.add(name);
  }
}

/** Checks that listings count as many storefronts as they have live promotions, while both change. */
export async function checkStorefronts(
  parts: AffiliateCheckParts,
  faults: EventFaults,
  newCall: NewCall,
): Promise<void> {
  const differenceOf = async (slug: string): Promise<string | null> => {
    const listing = await parts.allListings.find(slug, newCall());
    if (listing === null) return null;
    const count = await countStorefronts(parts, listing, newCall());
    return count === listing.storefronts ? null : `counts ${listing.storefronts} storefronts, but has ${count}`;
  };
  for (const slug of await promotedSlugs(parts, newCall)) {
    const isRight = (await differenceOf(slug)) === null;
    // A change counts a moment after it is stored.
    const difference = isRight ? null : await differenceOf(slug);
    if (difference !== null) {
      faults.add(`Listing ${slug} ${difference}: a server counts them again within ten minutes.`);
    }
  }
}
