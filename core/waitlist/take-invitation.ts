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

/** What somebody who has the link of an invitation is shown. */
export interface OpenInvitation {
  /** The products that the key is for, without those that are unknown. */
  readonly products: readonly Product[];
  readonly expiresAt: Date;
}

/**
 * Reads an invitation, and changes nothing, because scanners of mails open links. Refuses with `link_not_found` for one that is
 * unknown, was taken or has ended.
 */
export type ShowInvitation = (token: string, call: Call) => Promise<OpenInvitation>;

/**
 * Issues the key of an invitation, which ends before: of several callers at once one gets it. Whoever is interrupted between the
 * two steps is invited again, and leaves no key behind. Refuses as `ShowInvitation` does.
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

/** As long as the name of a key may be, in code points. */
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

/** The call of somebody who was invited, which reaches the products of the key alone. */
function callFor({ products }: Invitation, call: Call): Call {
  return { ...call, products: new Set(products) };
}

/** What the key is called: lists and the log name it, so it is no e-mail address. */
function nameOf({ name, handle }: WaitlistEntry, products: readonly Product[]): string {
  const own = [name, handle].find((each) => each !== null && each.trim() !== '' && !hasAddress(each));
  const merchant = `Merchant of ${products.map((product) => product.name).join(', ')}`;
  return own ?? [...merchant].slice(0, maxNameLength).join('');
}

function hasAddress(text: string): boolean {
  return text.split(/\s+/).some((word) => emailAddressRule.read(word) !== null);
}
