import { createAffiliateLink, endAffiliateLinks } from '../../affiliate/affiliate-links.ts';
import {
  addAffiliate,
  endAffiliate,
  eraseAffiliate,
  everyAffiliate,
  listAffiliates,
  setAffiliate,
  showAffiliate,
} from '../../affiliate/manage-affiliates.ts';
import {
  approvePromotion,
  endPromotion,
  everyPromotion,
  listPromotions,
  putPromotion,
} from '../../affiliate/manage-promotions.ts';
import { ofProducts, ofService, together } from '../../tenant/limits.ts';
import type { Parts } from './parts.ts';

/** Affiliates, and their promotions of listings. */
export function affiliatesOf({ ports, platform, loadMail, createLink, baseUrl, recount }: Parts) {
  const { affiliates, allListings, buyerLinks, promotions, waitlist } = ports;
  const mail = { loadMail, randomBytes: platform.randomBytes };
  const linkTo = createAffiliateLink(createLink, affiliates, baseUrl);
  const parts = { affiliates, allListings, promotions, recount };
  const endOne = endPromotion(parts);
  const end = endAffiliate({ affiliates, promotions, buyerLinks, endPromotion: endOne });
  return together(
    ofService({
      addAffiliate: addAffiliate({ affiliates, waitlist, createLink: linkTo, mail }),
      setAffiliate: setAffiliate(affiliates),
      endAffiliate: end,
      eraseAffiliate: eraseAffiliate(affiliates, end),
      createAffiliateLink: linkTo,
      endAffiliateLinks: endAffiliateLinks(buyerLinks, affiliates),
      findAffiliateByAddress: affiliates.findByAddress.bind(affiliates),
    }),
    ofProducts({
      showAffiliate: showAffiliate(affiliates),
      listAffiliates: listAffiliates(affiliates),
      everyAffiliate: everyAffiliate(affiliates),
      findPromotion: promotions.find.bind(promotions),
      listPromotions: listPromotions(promotions),
      everyPromotion: everyPromotion(promotions),
      putPromotion: putPromotion(parts),
      approvePromotion: approvePromotion(parts),
      endPromotion: endOne,
    }),
  );
}
