import type { IsSoldByStripe } from '../billing/sold-by-stripe.ts';
import type { StripeCases } from '../billing/stripe-cases.port.ts';
import type { CreateSupportLink } from '../buyer/support-link.ts';
import type { Call } from '../call.ts';
import type { AllEntitlements, EntitlementHistory } from '../entitlement/administration/all-entitlements.port.ts';
import { existing } from '../entitlement/administration/show-entitlement.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { readWhy } from '../entitlement/why/why.ts';
import { hasLicenseKeyLength, licenseDigest } from '../license/license-key.ts';
import { day } from '../parsing/duration.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal, type RefusalCode } from '../refusal.ts';
import type { Digest, RandomBytes } from '../secret.ts';
import { addressOfBuyer } from './address-of-buyer.ts';
import type { BuyerAddresses } from './buyer-addresses.port.ts';
import type { NoKeyReason, ReadCurrentKey } from './current-key.ts';
import { isMailAddress } from './mail-address.ts';
import { settleRefused } from './mail-cases.ts';
import { newMailId } from './mail-id.ts';
import type { MailResult, OutgoingMail } from './mail-sender.port.ts';
import type { Bought, MailContent } from './mail-writer.port.ts';
import type { LoadMail, Mail } from './mail.ts';

/** The content of a mail to a buyer: the key of the license, or a link that works for 24 hours. */
export type MailedThing = 'key' | 'link';

export interface LicenseMailRequest {
  readonly entitlementId: string;
  /** Null for the address of the buyer that Stripe has. */
  readonly to: string | null;
  /** Null for the key if the caller has it, else for a link. */
  readonly what: MailedThing | null;
  /** The key of the entitlement; null for the one that was derived for a sale of Stripe. */
  readonly licenseKey: string | null;
}

export interface SentMail {
  readonly sentAt: Date;
}

/**
 * Mails a buyer the key or a link. Each call sends one more mail. Neither the address nor the key is stored. Refuses with
 * `entitlement_not_found`, with `invalid_email`, `buyer_address_unknown` and `stripe_unavailable` because of the address, with
 * `invalid_license_key` for a key that does not open the entitlement, with `license_key_unknown`, `license_not_found` and
 * `entitlement_ended` where there is no key to be mailed, and with `mail_unavailable` if no server has taken the mail, or if
 * that is unknown.
 */
export type MailLicense = (request: LicenseMailRequest, call: Call) => Promise<SentMail>;

/** The parts that send a mail whose caller waits for it. */
export interface AwaitedMailParts {
  readonly loadMail: LoadMail;
  readonly randomBytes: RandomBytes;
}

export interface MailParts extends AwaitedMailParts {
  readonly entitlements: Pick<AllEntitlements, 'find'>;
  readonly history: EntitlementHistory;
  readonly products: Pick<Products, 'find'>;
  readonly createLink: CreateSupportLink;
  readonly cases: Pick<StripeCases, 'remove'>;
  readonly isSold: IsSoldByStripe;
  /** Null in a process without a key of Stripe. */
  readonly addresses: Pick<BuyerAddresses, 'ofSale'> | null;
  readonly readKey: ReadCurrentKey;
  readonly digest: Digest;
}

export function mailLicense(parts: MailParts): MailLicense {
  return async ({ entitlementId, to, what, licenseKey }, call) => {
    if (to !== null) requireAddress(to);
    if (what === 'link' && licenseKey !== null) {
      throw new Refusal('invalid_license_key', { message: 'licenseKey is for what key alone: a link needs none.' });
    }
    const entitlement = await existing(parts.entitlements, entitlementId, call);
    const isKey = what === null ? licenseKey !== null : what === 'key';
    const key = isKey ? await keyToMail(parts, entitlement, licenseKey, call) : null;
    const mail = await loadedMail(parts);
    const address = to ?? (await addressOfBuyer(parts, entitlement, call));
    const bought = { entitlement, product: await parts.products.find(entitlement.productId, call) };
    const content =
      key === null
        ? await linkIn(parts, mail, bought, call)
        : mail.writer.key({ ...bought, licenseKey: key, now: call.now });
    const answer = await sendAwaited(
      mail,
      { ...content, to: address, messageId: newMessageId('license', mail, parts) },
      call,
    );
    // A mail that was sent must not be reported as failed, even if the store fails.
    await settleRefused(parts.cases, entitlementId, call).catch(() => undefined);
    return answer;
  };
}

/** The key that the caller has, or else the one that was derived for a sale of Stripe, if it works now. */
async function keyToMail(
  { digest, isSold, readKey }: MailParts,
  entitlement: Entitlement,
  given: string | null,
  call: Call,
): Promise<string> {
  if (given !== null) {
    const key = given.trim();
    requireKeyOf(entitlement, key, digest);
    return key;
  }
  if (!(await isSold(entitlement.id, call))) throw new Refusal('license_key_unknown');
  const current = await readKey(entitlement, call);
  if (current.kind === 'none') throw new Refusal(unmailable[current.reason]);
  return current.licenseKey;
}

const unmailable: Readonly<Record<NoKeyReason, RefusalCode>> = {
  entitlement_ended: 'entitlement_ended',
  no_license: 'license_not_found',
  license_revoked: 'license_not_found',
  license_replaced: 'license_key_unknown',
};

/** Sends a mail without data of a buyer. Refuses with `invalid_email` and `mail_unavailable`. */
export type TestMail = (to: string, call: Call) => Promise<SentMail>;

export function testMail(parts: AwaitedMailParts): TestMail {
  return async (to, call) => {
    requireAddress(to);
    const mail = await loadedMail(parts);
    return sendAwaited(mail, { ...mail.writer.test(), to, messageId: newMessageId('test', mail, parts) }, call);
  };
}

async function linkIn(
  { createLink, history }: MailParts,
  { writer, hasLicensePages }: Mail,
  bought: Bought,
  call: Call,
): Promise<MailContent> {
  if (!hasLicensePages) {
    throw new Refusal('invalid_license_key', { message: 'licenseKey is needed: the service has no pages to link to.' });
  }
  const link = await createLink({ entitlementId: bought.entitlement.id, expires: day }, call);
  const why = await readWhy(history, bought.entitlement, call);
  return writer.link({ ...bought, why, link, now: call.now });
}

/**
 * Refuses with `invalid_email` an address to which no mail can be sent. `member` is the member of the request that has
 * it.
 */
export function requireAddress(to: string, member = 'to'): void {
  if (!isMailAddress(to)) throw new Refusal('invalid_email', { message: `${member} must be a valid e-mail address.` });
}

function requireKeyOf({ license }: Entitlement, key: string, digest: Digest): void {
  const given = hasLicenseKeyLength(key) ? licenseDigest(key, digest) : null;
  if (license === null || license.revokedAt !== null || license.digest !== given) {
    throw new Refusal('invalid_license_key', { message: 'licenseKey must be the key that the entitlement has now.' });
  }
}

/** Loads the parts that send mails. Refuses with `mail_unavailable` in a process that sends none. */
export async function loadedMail({ loadMail }: Pick<AwaitedMailParts, 'loadMail'>): Promise<Mail> {
  const mail = await loadMail();
  if (mail === null) throw new Refusal('mail_unavailable', { message: 'No mail is sent: SMTP_URL is not set.' });
  return mail;
}

/** Sends a mail. Refuses with `mail_unavailable` if no server has taken it, or if that is unknown. */
export async function sendAwaited({ sender }: Mail, mail: OutgoingMail, { now }: Call): Promise<SentMail> {
  const result = await sender.send(mail);
  if (result.outcome === 'sent') return { sentAt: now };
  throw new Refusal('mail_unavailable', { message: notSent(result) });
}

function notSent(result: Exclude<MailResult, { readonly outcome: 'sent' }>): string {
  const { outcome, code } = result;
  if (outcome === 'unconfirmed') {
    return `Whether the mail was sent is unknown: the server got all of it and did not confirm it (${code}). It may arrive.`;
  }
  const advice = outcome === 'failed' && result.advice !== undefined ? ` ${result.advice}` : '';
  return `The mail was not sent: ${outcome} (${code}).${advice}`;
}

/** The id of a new mail, which is sent once. */
export function newMessageId(
  kind: 'affiliate' | 'license' | 'test' | 'invite',
  { host }: Mail,
  { randomBytes }: Pick<AwaitedMailParts, 'randomBytes'>,
): string {
  return `${kind}.${newMailId(randomBytes)}@${host}`;
}
