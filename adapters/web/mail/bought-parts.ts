import type { Bought } from '../../../core/mail/mail-writer.port.ts';
import { addressed, named, say, type MailSite, type Said } from './mail-parts.ts';

/** The names of what was bought, as texts have them. */
export type BoughtNames = Readonly<Record<'product' | 'tier', Said>>;

export function namesOf({ product, entitlement }: Bought): BoughtNames {
  return { product: named(product?.name ?? entitlement.productId), tier: named(entitlement.tierName) };
}

/** Where questions go: to the address for answers, or else to the help of the product or of the site. */
export function questions({ words, help, takesAnswers }: MailSite, supportUrl: string | null): Said {
  const url = supportUrl ?? help;
  if (takesAnswers || url === null) return say(words, 'mailQuestions');
  return say(words, 'mailQuestionsAt', { url: addressed(url) });
}
