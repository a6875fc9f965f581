import type { FollowSaleLink } from '../../../core/affiliate/sale-link.ts';
import type { ListStorefronts, ReadStorefront } from '../../../core/affiliate/storefront.ts';
import type { BuyerRoute } from '../buyers/license-routes.ts';
import type { LostKeysPages } from '../lost/lost-routes.ts';
import { askRoutes } from './ask-routes.ts';
import { ownRoutes, type OwnUseCases } from './own-routes.ts';
import type { AffiliateParts } from './parts.ts';
import { saleLinkRoutes, storefrontRoutes } from './storefront-routes.ts';

/** The use cases of the pages of affiliates. */
export interface AffiliateUseCases {
  readonly readStorefront: ReadStorefront;
  readonly listStorefronts: ListStorefronts;
  readonly followSaleLink: FollowSaleLink;
  readonly own: OwnUseCases;
  /** Mails links; null on a server that sends no mail. */
  readonly mails: LostKeysPages | null;
}

export interface AffiliateRoutes {
  readonly ofEverybody: readonly BuyerRoute[];
  /** Those whose addresses no referrer, cache or search engine may learn. */
  readonly hidden: readonly BuyerRoute[];
}

/** The pages of affiliates. */
export function affiliateRoutes(parts: AffiliateParts, useCases: AffiliateUseCases): AffiliateRoutes {
  return {
    ofEverybody: [...askRoutes(parts, useCases.mails), ...storefrontRoutes(parts, useCases.readStorefront)],
    hidden: [
      ...saleLinkRoutes(parts, useCases.followSaleLink),
      ...ownRoutes(parts, useCases.own, useCases.mails !== null),
    ],
  };
}
