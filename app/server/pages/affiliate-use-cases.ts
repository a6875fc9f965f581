import type { AffiliateUseCases } from '../../../adapters/web/affiliates/affiliate-routes.ts';
import type { OwnUseCases } from '../../../adapters/web/affiliates/own-routes.ts';
import { openAffiliateLink } from '../../../core/affiliate/affiliate-links.ts';
import { findOwnStatement, showEarnings } from '../../../core/affiliate/closing/earnings.ts';
import { everyLine } from '../../../core/affiliate/closing/manage-statements.ts';
import { setAffiliate } from '../../../core/affiliate/manage-affiliates.ts';
import { askForPromotion, endPromotion, type PromotionAnswer } from '../../../core/affiliate/manage-promotions.ts';
import { recountStorefronts } from '../../../core/affiliate/recount-storefronts.ts';
import { followSaleLink } from '../../../core/affiliate/sale-link.ts';
import { listStorefronts, readStorefront } from '../../../core/affiliate/storefront.ts';
import type { Call } from '../../../core/call.ts';
import { lostKeysPages } from '../../receivers/ask-for-keys.ts';
import type { AskForMail } from '../../receivers/lost-keys.ts';
import { portsIn } from '../../service/container.ts';
import { changeLog } from '../../service/logger.ts';
import { tokens } from '../../service/tokens.ts';
import type { PageParts } from './license-use-cases.ts';

/** The use cases of the pages of affiliates. `askForMail` is null on a server that sends no mail. */
export function affiliateUseCases(parts: PageParts, askForMail: AskForMail | null, from: string): AffiliateUseCases {
  const { affiliates, promotions } = portsIn(parts.container);
  return {
    readStorefront: readStorefront(affiliates, promotions),
    listStorefronts: listStorefronts(affiliates, promotions),
    followSaleLink: followSaleLink(promotions),
    own: ownUseCases(parts),
    mails: askForMail === null ? null : lostKeysPages(askForMail, from),
  };
}

/** The use cases of an affiliate's own page, which log each change. */
function ownUseCases({ container, log }: PageParts): OwnUseCases {
  const ports = portsIn(container);
  const { affiliates, allListings, buyerLinks, promotions } = ports;
  const logChange = changeLog(log);
  const recount = recountStorefronts(ports);
  const ask = askForPromotion({ affiliates, allListings, promotions, recount });
  const end = endPromotion({ promotions, recount });
  const set = setAffiliate(affiliates);
  const logged = (command: string, { promotion, outcome }: PromotionAnswer, call: Call): PromotionAnswer => {
    const { handle, slug, productId, revision } = promotion;
    if (outcome !== 'unchanged') logChange({ command, handle, slug, productId, revision }, call);
    return { promotion, outcome };
  };
  return {
    open: openAffiliateLink(buyerLinks, affiliates, container.get(tokens.platform).digest),
    promotionsOf: promotions.ofAffiliate.bind(promotions),
    showEarnings: showEarnings(ports),
    findStatement: findOwnStatement(ports.statements),
    everyLine: everyLine(ports),
    ask: async (place, call) => logged('promotion ask', await ask(place, call), call),
    end: async (handle, slug, call) => logged('promotion end', await end(handle, slug, call), call),
    set: async (handle, facts, call) => {
      const answer = await set(handle, facts, call);
      const { revision } = answer.affiliate;
      if (answer.changed) logChange({ command: 'affiliate set', handle, revision }, call);
      return answer;
    },
  };
}
