import { hmac, randomBytes } from '../../adapters/crypto/node-secrets.ts';
import { createStripe } from '../../adapters/stripe/client/create-stripe.ts';
import { stripeAddresses } from '../../adapters/stripe/mail/stripe-addresses.ts';
import { deriveLicenseKey, type DeriveLicenseKey } from '../../core/billing/derive-license-key.ts';
import type { BuyerAddresses } from '../../core/mail/buyer-addresses.port.ts';
import type { LoadMail, Mail } from '../../core/mail/mail.ts';
import { portsIn } from '../service/container.ts';
import type { Settings } from '../settings/settings.ts';
import type { ReceiverParts } from './receiver-deliveries.ts';

/** The parts that mail buyers: their addresses, and their keys. */
export interface BuyersMail extends Mail {
  readonly addresses: BuyerAddresses;
  readonly deriveKey: DeriveLicenseKey;
}

/** The addresses in a process without a key of Stripe: mails of sales there wait for a process that has one. */
const noAddresses: BuyerAddresses = {
  ofSale: async () => noKey,
  salesTo: async () => ({ ...noKey, sales: [] }),
};

const noKey = { kind: 'failed', code: 'STRIPE_API_KEY is not set', retryAfter: null } as const;

/** Loads the parts that mail buyers, where mail is set up. Throws `StripeNotInstalled`. */
export async function loadBuyersMail(
  { container }: Pick<ReceiverParts, 'container'>,
  { stripeApiKey, stripeApiBase }: Pick<Settings, 'stripeApiKey' | 'stripeApiBase'>,
  loadMail: LoadMail,
): Promise<BuyersMail> {
  const addresses =
    stripeApiKey === null
      ? noAddresses
      : stripeAddresses(await createStripe({ apiKey: stripeApiKey, apiBase: stripeApiBase }));
  const mail = await loadMail();
  if (mail === null) throw new Error('SMTP_URL is not set');
  const deriveKey = deriveLicenseKey(portsIn(container).licenseSecrets, { hmac, randomBytes });
  return { ...mail, addresses, deriveKey };
}
