import { refuse } from '../../adapters/http/refusals.ts';
import type { LostKeysPages } from '../../adapters/web/lost/lost-routes.ts';
import { hasBuyerPages } from '../settings/buyer-pages.ts';
import type { Settings } from '../settings/settings.ts';
import type { createLostKeys } from './create-lost-keys.ts';
import type { AskForMail, LostKeys } from './lost-keys.ts';

/** Reports whether a server mails lost keys: it finds buyers at Stripe, sends mail, and has a page to ask on. */
export function mailsLostKeys(settings: Pick<Settings, 'stripeApiKey' | 'smtpUrl' | 'pages' | 'buyerPages'>): boolean {
  return settings.stripeApiKey !== null && settings.smtpUrl !== null && hasBuyerPages(settings);
}

/** Reports whether a server mails affiliates their links: it sends mail, and has a page to ask on. */
export function mailsAffiliateLinks({ smtpUrl, pages }: Pick<Settings, 'smtpUrl' | 'pages'>): boolean {
  return smtpUrl !== null && pages === 'on';
}

/** The senders of mails that somebody asks for on a page. Null for a mail that a server does not send. */
export interface AskedMails {
  readonly keys: LostKeys | null;
  readonly links: LostKeys | null;
}

/** Creates the senders of mails that somebody asks for. */
export type NewAskedMails = (...parts: Parameters<typeof createLostKeys>) => AskedMails;

/** Loads the senders of mails that somebody asks for. */
export async function loadAskedMails(
  settings: Parameters<typeof mailsLostKeys>[0] & Parameters<typeof mailsAffiliateLinks>[0],
): Promise<NewAskedMails> {
  const keys = mailsLostKeys(settings) ? (await import('./create-lost-keys.ts')).createLostKeys : null;
  const links = mailsAffiliateLinks(settings) ? (await import('./create-asked-links.ts')).createAskedLinks : null;
  return (...parts) => ({ keys: keys?.(...parts) ?? null, links: links?.(...parts) ?? null });
}

/** Sends the mails that somebody asks for on a page. Null for a mail that a server does not send. */
export interface AskForMails {
  readonly keys: AskForMail | null;
  readonly links: AskForMail | null;
}

/** The use cases of a page on which anybody can ask for a mail. */
export function lostKeysPages(askForMail: AskForMail, from: string): LostKeysPages {
  return {
    from,
    ask: async (email, { now, correlationId }, listing = null) => {
      const wait = await askForMail(email, correlationId, listing);
      if (wait !== null) throw refuse('rate_limited', { retryAt: new Date(now.getTime() + wait) });
    },
  };
}
