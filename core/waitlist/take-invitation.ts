import type { Call } from '../call.ts';
import type { IssuedKey } from '../key/change-keys.ts';
import type { OperatorKey } from '../key/operator/operator-key.ts';
import type { IssueOperatorKey } from '../key/operator/operator-keys.ts';
import type { Product, Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import type { Digest } from '../secret.ts';
import type { Invitation, WaitlistEntry } from './invitation.ts';
import { emailAddressRule } from './sign-up.ts';
import type { Waitlist } from './waitlist.port.ts';

/** The part of an invitation that its page shows. */
export interface OpenInvitation {
  /** The products that the key is for, without those that are unknown. */
  readonly products: readonly Product[];
  readonly expiresAt: Date;
}

/**
 * Reads an invitation, and changes nothing, because mail scanners open links. Refuses with `link_not_found` for one
 * that is unknown, was taken or has ended.
 */
export type ShowInvitation = (token: string, call: Call) => Promise<OpenInvitation>;

/**
 * Ends an invitation, then issues its key: of several concurrent callers, one gets it. A caller that is interrupted
 * between the two steps leaves no key behind, and has to be invited again. Refuses as `ShowInvitation` does.
 */
export type TakeInvitation = (token: string, call: Call) => Promise<IssuedKey<OperatorKey>>;

export interface InvitationParts {
  readonly waitlist: Pick<Waitlist, 'findInvited' | 'replace'>;
  readonly products: Pick<Products, 'find'>;
  readonly issue: IssueOperatorKey;
  readonly digest: Digest;
}

export function showInvitation(parts: InvitationParts): ShowInvitation {
  return async (token, call) => {
    const { invitation } = await openInvitation(parts, token, call);
    return { products: await productsOf(parts, invitation, call), expiresAt: invitation.expiresAt };
  };
}

export function takeInvitation(parts: InvitationParts): TakeInvitation {
  const { waitlist, issue } = parts;
  return async (token, call) => {
    const { entry, invitation } = await openInvitation(parts, token, call);
    const { products, scopes } = invitation;
    const name = nameOf(entry, await productsOf(parts, invitation, call));
    if ((await waitlist.replace(entry, { ...entry, invitation: null }, call)) === 'stale') {
      throw new Refusal('link_not_found');
    }
    return issue({ id: null, name, products, scopes, expiresAt: null }, callFor(invitation, call));
  };
}

/** The maximum length of the name of a key, in code points. */
const maxNameLength = 200;

const tokenForm = /^[\w-]{43}$/;

async function openInvitation(
  { waitlist, digest }: InvitationParts,
  token: string,
  call: Call,
): Promise<{ readonly entry: WaitlistEntry; readonly invitation: Invitation }> {
  const entry = tokenForm.test(token) ? await waitlist.findInvited(digest(token), call) : null;
  const invitation = entry?.invitation ?? null;
  if (entry === null || invitation === null || invitation.expiresAt <= call.now) throw new Refusal('link_not_found');
  return { entry, invitation };
}

async function productsOf(
  { products }: InvitationParts,
  invitation: Invitation,
  call: Call,
): Promise<readonly Product[]> {
  const own = callFor(invitation, call);
  const found = await Promise.all(invitation.products.map((id) => products.find(id, own)));
  return found.filter((product) => product !== null);
}

/** The call of somebody who was invited, which reaches only the products of the key. */
function callFor({ products }: Invitation, call: Call): Call {
  return { ...call, products: new Set(products) };
}

/** The name of the key. It contains no e-mail address, because lists and the log show it. */
function nameOf({ name, handle }: WaitlistEntry, products: readonly Product[]): string {
  const own = [name, handle].find((each) => each !== null && each.trim() !== '' && !hasAddress(each));
  const merchant = `Merchant of ${products.map((product) => product.name).join(', ')}`;
  return own ?? [...merchant].slice(0, maxNameLength).join('');
}

function hasAddress(text: string): boolean {
  return text.split(/\s+/).some((word) => emailAddressRule.read(word) !== null);
}
