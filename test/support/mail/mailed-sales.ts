import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { deriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import { isSoldByStripe } from '../../../core/billing/sold-by-stripe.ts';
import type { Entitlement, Subscription } from '../../../core/entitlement/entitlement.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import type { BuyerAddresses, BuyersAddress, SalesOfAddress } from '../../../core/mail/buyer-addresses.port.ts';
import { readCurrentKey } from '../../../core/mail/current-key.ts';
import type { MailResult, OutgoingMail } from '../../../core/mail/mail-sender.port.ts';
import type { MailContent, MailWriter } from '../../../core/mail/mail-writer.port.ts';
import type { Mail } from '../../../core/mail/mail.ts';
import { aCall, aLicense, aProduct, aSubscription, granted } from '../builders.ts';
import type { OpenedStore } from '../stores/stores.ts';

/** Writes the facts of a mail as JSON, so that a test reads them. */
export const readableWriter: MailWriter = {
  key: (facts) => written('key', facts),
  link: (facts) => written('link', facts),
  replaced: (facts) => written('replaced', facts),
  ending: (facts) => written('ending', facts),
  lost: (facts) => written('lost', facts),
  affiliate: (facts) => written('affiliate', facts),
  statement: (facts) => written('statement', facts),
  invite: (facts) => written('invite', facts),
  test: () => written('test', {}),
};

function written(subject: string, facts: object): MailContent {
  return { subject, text: JSON.stringify(facts), html: '' };
}

/** The facts in a mail of the readable writer. */
export function factsIn({ text }: Pick<OutgoingMail, 'text'>): Readonly<Record<string, unknown>> {
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

/** Sales at Stripe in a store: what Stripe answers about addresses, and a server that takes mails. */
export class MailedSales implements BuyerAddresses {
  readonly #store: OpenedStore;
  readonly sent: OutgoingMail[] = [];
  result: MailResult = { outcome: 'sent' };
  address: BuyersAddress = { kind: 'read', address: 'Ada@example.com' };
  sales: SalesOfAddress = { kind: 'read', sales: [] };

  private constructor(store: OpenedStore) {
    this.#store = store;
  }

  /** Opens them with a product whose price is mapped. */
  static async open(store: OpenedStore): Promise<MailedSales> {
    await store.products.add(aProduct({ mailEnding: true }), aCall());
    const tier = { tierId: 'pro', tierName: 'Pro', deviceLimit: null, updates: null };
    await store.priceMap.put({ ...tier, productId: 'prod_1', price: 'price_1' }, aCall());
    return new MailedSales(store);
  }

  readonly isSold: ReturnType<typeof isSoldByStripe> = (id, call) => isSoldByStripe(this.#store.priceMap)(id, call);

  keyOf(id: string): Promise<string> {
    return deriveLicenseKey(this.#store.licenseSecrets, nodePlatform)(id, aCall());
  }

  get readKey(): ReturnType<typeof readCurrentKey> {
    return readCurrentKey(deriveLicenseKey(this.#store.licenseSecrets, nodePlatform), digest);
  }

  /** Adds a sale, with the key that was derived for it unless it has another license. */
  async add(overrides: Partial<Subscription> = {}): Promise<Entitlement> {
    const id = overrides.id ?? 'sub_1';
    const license = aLicense({ digest: licenseDigest(await this.keyOf(id), digest) });
    const sale = aSubscription({ id, license, ...overrides });
    await this.#store.allEntitlements.add(granted([sale]), aCall());
    return sale;
  }

  async ofSale(): Promise<BuyersAddress> {
    return this.address;
  }

  async salesTo(): Promise<SalesOfAddress> {
    return this.sales;
  }

  readonly send = async (mail: OutgoingMail): Promise<MailResult> => {
    this.sent.push(mail);
    return this.result;
  };

  /** The parts of a process that mails. */
  mail(overrides: Partial<Mail> = {}): Mail {
    return {
      sender: { send: this.send },
      writer: readableWriter,
      host: 'latchkey.test',
      hasLicensePages: true,
      hasAffiliatePages: true,
      ...overrides,
    };
  }

  refuse(id: string): Promise<void> {
    const facts = { detail: 'grant refused', change: null, charge: null };
    return this.#store.stripeCases.put({ id, kind: 'mail_refused', since: aCall().now, ...facts }, aCall());
  }

  async cases(id = 'sub_1'): Promise<readonly string[]> {
    return (await this.#store.stripeCases.find(id, aCall())).map(({ kind, detail }) => `${kind} ${detail}`);
  }
}
