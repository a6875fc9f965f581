import type { Call, NewCall } from '../call.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { removeInParts } from '../maintenance/remove-in-parts.ts';
import { Refusal } from '../refusal.ts';
import type { Digest, NewSecret } from '../secret.ts';
import { defaultLinkTime, type BuyerLink } from './buyer-link.ts';
import type { BuyerLinks } from './buyer-links.port.ts';

/** Finds an entitlement that the caller may see; null for any other. */
type Find = (call: Call) => Promise<Pick<Entitlement, 'id'> | null>;

export interface LinkRequest extends Pick<BuyerLink, 'appKeyId' | 'returnUrl' | 'isForLostKeys'> {
  readonly find: Find;
  /** The time that it works, in milliseconds; null for the default. */
  readonly expires: number | null;
}

/** A link that was made, with the only copy of its token. */
export interface NewLink {
  readonly link: BuyerLink;
  readonly token: string;
}

/** Makes a link to an entitlement. Each call makes one more. Refuses with `entitlement_not_found`. */
export type CreateLink = (request: LinkRequest, call: Call) => Promise<NewLink>;

export function createLink(buyerLinks: BuyerLinks, newToken: NewSecret, digest: Digest): CreateLink {
  return async ({ find, expires, ...made }, call) => {
    const { id: subject } = await found(find, call);
    const token = newToken();
    const expiresAt = new Date(call.now.getTime() + (expires ?? defaultLinkTime));
    const times = { createdAt: call.now, expiresAt };
    const link = { digest: digest(token), subject, ...made, ...times };
    await buyerLinks.add(link, call);
    return { link, token };
  };
}

/** Ends every link to an entitlement, of all who made one, and returns their number. Refuses with `entitlement_not_found`. */
export type EndLinks = (find: Find, call: Call) => Promise<number>;

export function endLinks(buyerLinks: BuyerLinks): EndLinks {
  return async (find, call) => buyerLinks.removeAll((await found(find, call)).id, call);
}

async function found(find: Find, call: Call): Promise<Pick<Entitlement, 'id'>> {
  const entitlement = await find(call);
  if (entitlement === null) throw new Refusal('entitlement_not_found');
  return entitlement;
}

/** Removes the links that have ended, part by part, each with a call of its own. Returns the number removed. */
export type PruneBuyerLinks = (newCall: NewCall) => Promise<number>;

export function pruneBuyerLinks(buyerLinks: Pick<BuyerLinks, 'prune'>): PruneBuyerLinks {
  return (newCall) => removeInParts((call) => buyerLinks.prune(call.now, call), newCall);
}
