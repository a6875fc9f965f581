import type { Call } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import type { OperatorScope } from '../key/operator/operator-key.ts';
import { loadedMail, newMessageId, requireAddress, sendAwaited, type AwaitedMailParts } from '../mail/mail-license.ts';
import type { Mail } from '../mail/mail.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import type { Digest, NewSecret } from '../secret.ts';
import { defaultInvitationTime, invitedScopes, type WaitlistEntry } from './invitation.ts';
import type { Waitlist } from './waitlist.port.ts';

export interface InvitationRequest {
  /** The address of the entry, in any spelling. */
  readonly email: string;
  /** The products that the key is limited to, by id in code-point order. */
  readonly products: readonly string[];
  /** Null for all that an invitation can give. */
  readonly scopes: readonly OperatorScope[] | null;
  /** The lifetime of the link, in milliseconds; null for the default. */
  readonly expires: number | null;
  /** Whether the link is mailed to the address. */
  readonly isMailed: boolean;
}

export interface MadeInvitation {
  /** A secret, which is shown only once. Without the host if it is not known which URL merchants reach. */
  readonly url: string;
  readonly expiresAt: Date;
  readonly invitedAt: Date;
  readonly hasAddress: boolean;
}

/**
 * Invites somebody on the waitlist by a link to get an operator key that is limited to products. An earlier link stops
 * working. Refuses with `signup_not_found` and `product_not_found`; with `invalid_email` and `mail_unavailable` if a
 * mail is asked for and cannot be sent. If no server has taken the mail, or if that is unknown, the invitation is
 * stored all the same.
 */
export type InviteFromWaitlist = (request: InvitationRequest, call: Call) => Promise<MadeInvitation>;

export interface InviteParts extends AwaitedMailParts {
  readonly waitlist: Pick<Waitlist, 'find' | 'replace'>;
  readonly products: Pick<Products, 'find'>;
  readonly newToken: NewSecret;
  readonly digest: Digest;
  /** The URL of the port that merchants reach; null if it is not known. */
  readonly merchantUrl: string | null;
}

export function inviteFromWaitlist(parts: InviteParts): InviteFromWaitlist {
  const { waitlist, products, newToken, digest, merchantUrl } = parts;
  return async (request, call) => {
    const known = await Promise.all(request.products.map((id) => products.find(id, call)));
    if (known.includes(null)) throw new Refusal('product_not_found');
    const mail = request.isMailed ? await mailTo(request.email, parts) : null;
    const token = newToken();
    const expiresAt = new Date(call.now.getTime() + (request.expires ?? defaultInvitationTime));
    const terms = { products: request.products, scopes: request.scopes ?? invitedScopes, expiresAt };
    const invitation = { ...terms, digest: digest(token), invitedBy: call.by };
    const invited = await untilStored(call, async () => {
      const entry = await waitlist.find(request.email, call);
      if (entry === null) throw new Refusal('signup_not_found');
      const next: WaitlistEntry = { ...entry, invitedAt: call.now, invitation };
      return (await waitlist.replace(entry, next, call)) === 'stale' ? 'stale' : next;
    });
    const url = `${merchantUrl ?? ''}${invitationPath(token)}`;
    if (mail !== null) {
      const content = mail.writer.invite({ url, expiresAt });
      await sendAwaited(mail, { ...content, to: invited.email, messageId: newMessageId('invite', mail, parts) }, call);
    }
    return { url, expiresAt, invitedAt: call.now, hasAddress: merchantUrl !== null };
  };
}

/** The path of the page of an invitation. */
function invitationPath(token: string): string {
  return `/console/invitations/${token}`;
}

async function mailTo(email: string, parts: InviteParts): Promise<Mail> {
  requireAddress(email, 'email');
  const mail = await loadedMail(parts);
  if (parts.merchantUrl !== null) return mail;
  const message = 'No mail is sent: MERCHANT_URL is not set, so its link would lead nowhere.';
  throw new Refusal('mail_unavailable', { message });
}
