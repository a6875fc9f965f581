import { refuse } from '../../adapters/http/refusals.ts';
import type { LostKeysPages } from '../../adapters/web/lost/lost-routes.ts';
import { hasBuyerPages } from '../settings/buyer-pages.ts';
import type { Settings } from '../settings/settings.ts';
import type { createLostKeys } from './create-lost-keys.ts';
import type { AskForKeys } from './lost-keys.ts';

/** Reports whether a server mails lost keys: it knows whom at Stripe, and has a page to ask on. */
export function mailsLostKeys(settings: Pick<Settings, 'stripeApiKey' | 'smtpUrl' | 'pages' | 'buyerPages'>): boolean {
  return settings.stripeApiKey !== null && settings.smtpUrl !== null && hasBuyerPages(settings);
}

/** Creates what mails lost keys, of a server that does. */
export type NewLostKeys = typeof createLostKeys;

/** Loads what mails lost keys; null for a server that mails none. */
export async function loadLostKeys(settings: Parameters<typeof mailsLostKeys>[0]): Promise<NewLostKeys | null> {
  return mailsLostKeys(settings) ? (await import('./create-lost-keys.ts')).createLostKeys : null;
}

/** The use cases of the page for lost keys. */
export function lostKeysPages(askForKeys: AskForKeys, from: string): LostKeysPages {
  return {
    from,
    ask: async (email, { now, correlationId }) => {
      const wait = await askForKeys(email, correlationId);
      if (wait !== null) throw refuse('rate_limited', { retryAt: new Date(now.getTime() + wait) });
    },
  };
}
