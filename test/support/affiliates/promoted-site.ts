import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { portsIn } from '../../../app/service/container.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { createAffiliateLink } from '../../../core/affiliate/affiliate-links.ts';
import type { Affiliate } from '../../../core/affiliate/affiliate.ts';
import type { Promotion } from '../../../core/affiliate/promotion.ts';
import { createLink } from '../../../core/buyer/manage-links.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall, aListing } from '../builders.ts';
import { TestService, type ServiceOptions } from '../http/test-service.ts';
import { anAffiliate, aPromotion } from './builders.ts';

/** The affiliates and promotions of a site, beside its catalog. */
export interface Promoted {
  readonly listings: readonly Listing[];
  readonly affiliates?: readonly Affiliate[];
  readonly promotions?: readonly Promotion[];
}

/** A listing that affiliates may promote at once. */
export function aPromotable(overrides: Partial<Listing> = {}): Listing {
  const { slug = 'sketchpad' } = overrides;
  return aListing({
    id: `lst_${slug}`,
    slug,
    name: 'Sketchpad',
    productId: 'prod_1',
    affiliates: 'open',
    saleUrl: 'https://buy.example/pad',
    commissionFor: 12,
    ...overrides,
  });
}

/** Starts a service, in memory, with @ada, who promotes the listing, or with what is given. */
export async function servePromoted(
  { listings, affiliates = [anAffiliate()], promotions = [aPromotion()] }: Promoted,
  options: ServiceOptions = {},
): Promise<TestService> {
  const store = openMemoryStore(retentionFor(defaultTtl));
  await store.ports.listings.put(listings, aCall());
  await addPromoted(store.ports, { affiliates, promotions });
  return TestService.start(store, options);
}

/** Stores affiliates and promotions as they are. */
export async function addPromoted(
  ports: Pick<StorePorts, 'affiliates' | 'promotions'>,
  { affiliates, promotions }: Required<Pick<Promoted, 'affiliates' | 'promotions'>>,
): Promise<void> {
  for (const affiliate of affiliates) await ports.affiliates.replace(null, affiliate, aCall());
  for (const promotion of promotions) await ports.promotions.replace(null, promotion, aCall());
}

/** Makes a link to the own page of @ada, and returns its path. */
export async function linkOfAda({ container }: TestService): Promise<string> {
  const { affiliates, buyerLinks } = portsIn(container);
  const { newSessionToken, digest } = nodePlatform;
  const create = createAffiliateLink(createLink(buyerLinks, newSessionToken, digest), affiliates, () => '');
  return (await create('ada', null, aCall())).url;
}
