import type { Why } from '../../../core/entitlement/why/why.ts';
import type { Bought } from '../../../core/mail/mail-writer.port.ts';
import type { Product } from '../../../core/product/products.port.ts';
import { shownPicture } from '../marketplace/tile.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { html, type Html } from '../markup/html.ts';
import { stateSaid, type StateSaid } from '../markup/state-said.ts';
import type { Words } from '../markup/words.ts';
import { addressed, named, say, type MailSite, type Said } from './mail-parts.ts';

/** The names of the product and the tier, as texts have them. */
export type BoughtNames = Readonly<Record<'product' | 'tier', Said>>;

export function namesOf({ product, entitlement }: Bought): BoughtNames {
  return { product: named(product?.name ?? entitlement.productId), tier: named(entitlement.tierName) };
}

/**
 * The icon of a product. Its address is the same for all buyers, and its name stands in where a mail program loads no
 * images. Null without an icon that may be shown.
 */
export function iconOf({ imageHosts }: MailSite, { product }: Bought): Html | null {
  const address = shownPicture(product?.iconUrl ?? null, imageHosts);
  if (product === null || address === null) return null;
  return html`<img
    src="${address}"
    alt="${product.name}"
    width="48"
    height="48"
    style="display: block; margin: 0 0 16px; border-radius: 10px; object-fit: cover"
  />`;
}

/** Where questions about a product go: its help or that of the site. Null for the address for answers. */
export function helpOf({ help, takesAnswers }: MailSite, product: Product | null): string | null {
  return takesAnswers ? null : (product?.supportUrl ?? help);
}

/** Says where questions go. */
export function questions(site: MailSite, url: string | null): Said {
  if (url === null) return say(site.words, 'mailQuestions');
  return say(site.words, 'mailQuestionsAt', { url: addressed(site, url) });
}

/** The words for the state of a purchase. `why` is the reason if there is no access. */
export function stateOf(words: Words, bought: Bought, why: Why, now: Date): Said {
  const { name, date } = stateSaid(bought.entitlement, why, now);
  return say(words, stateTexts[name], { ...namesOf(bought), ...(date !== null && { date: words.plainDay(date) }) });
}

const stateTexts: Readonly<Record<StateSaid['name'], TextName>> = {
  worksRenews: 'mailRenews',
  worksForever: 'mailForever',
  worksUntil: 'mailUntil',
  worksTrial: 'mailTrial',
  worksScheduled: 'mailScheduled',
  latePayment: 'mailLate',
  heldForPayment: 'mailHeldForPayment',
  heldRefunded: 'mailHeldRefunded',
  heldDisputed: 'mailHeldDisputed',
  heldDisputeLost: 'mailHeldDisputeLost',
  heldPaused: 'mailHeldPaused',
  heldBySeller: 'mailHeldBySeller',
  heldUnknown: 'mailHeldUnknown',
  endedCanceled: 'mailEndedCanceled',
  endedNotRenewed: 'mailEndedNotRenewed',
  endedTakenBack: 'mailEndedTakenBack',
  endedRefunded: 'mailEndedRefunded',
  endedDisputeLost: 'mailEndedDisputeLost',
};
