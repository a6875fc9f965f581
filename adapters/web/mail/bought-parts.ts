import type { Why } from '../../../core/entitlement/why/why.ts';
import type { Bought } from '../../../core/mail/mail-writer.port.ts';
import type { Product } from '../../../core/product/products.port.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { stateSaid, type StateSaid } from '../markup/state-said.ts';
import type { Words } from '../markup/words.ts';
import { addressed, named, say, type MailSite, type Said } from './mail-parts.ts';

/** The names of what was bought, as texts have them. */
export type BoughtNames = Readonly<Record<'product' | 'tier', Said>>;

export function namesOf({ product, entitlement }: Bought): BoughtNames {
  return { product: named(product?.name ?? entitlement.productId), tier: named(entitlement.tierName) };
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

/** Says the state of what was bought. `why` is why there is no access. */
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
