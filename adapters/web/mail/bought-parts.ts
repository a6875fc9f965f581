import type { Bought } from '../../../core/mail/mail-writer.port.ts';
import type { Product } from '../../../core/product/products.port.ts';
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
