import type { Call } from '../call.ts';
import type { Devices } from '../device/devices.port.ts';
import { maxListed } from '../device/license-devices.ts';
import { withKnownLimit } from '../device/seats.ts';
import type { AllEntitlements, EntitlementHistory } from '../entitlement/administration/all-entitlements.port.ts';
import { readWhy } from '../entitlement/why/why.ts';
import type { AppKey } from '../key/app/app-key.ts';
import { isUsable } from '../key/stored-key.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import type { Digest } from '../secret.ts';
import type { KnownTiers } from '../tier/allowance.ts';
import { handleInSubject, type BuyerLink } from './buyer-link.ts';
import type { BuyerLinks } from './buyer-links.port.ts';
import type { BuyersLicense } from './buyers-license.ts';

/** A license as it is shown to somebody who has a link. */
export interface LinkedLicense extends BuyersLicense {
  readonly link: BuyerLink;
}

/**
 * Reads the license that a link leads to, as it is stored now. Refuses with `link_not_found` for an unknown link and
 * one that has ended: by its time, with its app key, or because it was removed.
 */
export type OpenLink = (token: string, call: Call) => Promise<LinkedLicense>;

export interface LinkParts {
  readonly buyerLinks: Pick<BuyerLinks, 'find'>;
  readonly entitlements: Pick<AllEntitlements, 'find'>;
  readonly history: EntitlementHistory;
  readonly appKeys: { readonly find: (id: string, call: Call) => Promise<AppKey | null> };
  readonly devices: Pick<Devices, 'page'>;
  readonly products: Pick<Products, 'find'>;
  readonly digest: Digest;
  readonly knownTiers: KnownTiers;
}

const tokenForm = /^[\w-]{43}$/;

/** Finds a link that has not ended, for a buyer or an affiliate. */
export function findOpenLink(buyerLinks: Pick<BuyerLinks, 'find'>, digest: Digest) {
  return async (token: string, call: Call): Promise<BuyerLink | null> => {
    const link = tokenForm.test(token) ? await buyerLinks.find(digest(token), call) : null;
    return link === null || link.expiresAt <= call.now ? null : link;
  };
}

export function openLink(parts: LinkParts): OpenLink {
  const { buyerLinks, entitlements, devices, products, digest } = parts;
  return async (token, call) => {
    const link = await findOpenLink(buyerLinks, digest)(token, call);
    if (link === null || handleInSubject(link.subject) !== null) throw new Refusal('link_not_found');
    const [entitlement, isOpen] = await Promise.all([
      entitlements.find(link.subject, call),
      hasUsableKey(parts, link, call),
    ]);
    if (entitlement === null || !isOpen) throw new Refusal('link_not_found');
    const [product, why, listed] = await Promise.all([
      products.find(entitlement.productId, call),
      readWhy(parts.history, entitlement, call),
      devices.page(entitlement.id, { after: null, limit: maxListed }, call),
    ]);
    const limited = await withKnownLimit(parts.knownTiers, entitlement, call);
    return { link, entitlement: limited, product, why, devices: listed };
  };
}

async function hasUsableKey({ appKeys }: LinkParts, { appKeyId }: BuyerLink, call: Call): Promise<boolean> {
  if (appKeyId === null) return true;
  const key = await appKeys.find(appKeyId, call);
  return key !== null && isUsable(key, call.now);
}
