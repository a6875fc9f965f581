import type { AffiliateUseCases } from '../../../adapters/web/affiliates/affiliate-routes.ts';
import { followSaleLink } from '../../../core/affiliate/sale-link.ts';
import { listStorefronts, readStorefront } from '../../../core/affiliate/storefront.ts';
import { lostKeysPages } from '../../receivers/ask-for-keys.ts';
import type { AskForMail } from '../../receivers/lost-keys.ts';
import { portsIn } from '../../service/container.ts';
import type { PageParts } from './license-use-cases.ts';

/** The use cases of the pages of affiliates. `ask` is null on a server that sends no mail. */
export function affiliateUseCases({ container }: PageParts, ask: AskForMail | null, from: string): AffiliateUseCases {
  const { affiliates, promotions } = portsIn(container);
  return {
    readStorefront: readStorefront(affiliates, promotions),
    listStorefronts: listStorefronts(affiliates, promotions),
    followSaleLink: followSaleLink(promotions),
    mails: ask === null ? null : lostKeysPages(ask, from),
  };
}
