import type { LinkForBuyer } from '../buyer/support-link.ts';
import type { Call } from '../call.ts';
import { newMessageId, type AwaitedMailParts } from '../mail/mail-license.ts';
import type { MailResult } from '../mail/mail-sender.port.ts';
import type { CreateAffiliateLink } from './affiliate-links.ts';
import type { Affiliate } from './affiliate.ts';
import type { Affiliates } from './affiliates.port.ts';

/**
 * Mails an affiliate a link. Null in a process that sends no mail or has no pages, and for one who is erased. A mail that
 * fails is no refusal: the caller has the link.
 */
export async function mailLinkTo(
  parts: AwaitedMailParts,
  { handle, email }: Affiliate,
  { link, isInvitation }: { readonly link: LinkForBuyer; readonly isInvitation: boolean },
): Promise<MailResult | null> {
  const mail = await parts.loadMail();
  if (mail === null || !mail.hasAffiliatePages || email === null) return null;
  const content = mail.writer.affiliate({ handle, link, isInvitation });
  return mail.sender.send({ ...content, to: email, messageId: newMessageId('affiliate', mail, parts) });
}

/** Who has asked for a link. */
export interface AskedLink {
  readonly email: string;
  /** The slug of the listing that she came from, which the page offers first; null for none. */
  readonly listing: string | null;
}

/**
 * Mails a link to the affiliate of an address. The result is for the log and the counts alone: a visitor must not learn
 * whether the address has an affiliate. Null if nobody is mailed.
 */
export type MailAffiliateLink = (asked: AskedLink, call: Call) => Promise<MailResult | null>;

export function mailAffiliateLink(
  affiliates: Pick<Affiliates, 'findByAddress'>,
  createLink: CreateAffiliateLink,
  mail: AwaitedMailParts,
): MailAffiliateLink {
  return async ({ email, listing }, call) => {
    const affiliate = await affiliates.findByAddress(email, call);
    if (affiliate?.state !== 'active') return null;
    const { url, expiresAt } = await createLink(affiliate.handle, null, call);
    const link = { url: listing === null ? url : `${url}?listing=${encodeURIComponent(listing)}`, expiresAt };
    return mailLinkTo(mail, affiliate, { link, isInvitation: false });
  };
}
