import type { Call } from '../call.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import type { CreateLink } from './manage-links.ts';

/** Where a buyer opens an entitlement, and until when. */
export interface LinkForBuyer {
  readonly url: string;
  readonly expiresAt: Date;
}

export interface SupportLinkRequest {
  readonly entitlementId: string;
  /** The time that it works, in milliseconds; null for the default. */
  readonly expires: number | null;
}

/** Makes a link for a buyer whom the seller helps, or who has lost the keys. Refuses with `entitlement_not_found`. */
export type CreateSupportLink = (request: SupportLinkRequest, call: Call) => Promise<LinkForBuyer>;

export function createSupportLink(
  create: CreateLink,
  entitlements: Pick<AllEntitlements, 'find'>,
  publicUrl: () => string,
  isForLostKeys = false,
): CreateSupportLink {
  return async ({ entitlementId, expires }, call) => {
    const find = (within: Call) => entitlements.find(entitlementId, within);
    const { link, token } = await create({ find, expires, returnUrl: null, appKeyId: null, isForLostKeys }, call);
    return { url: linkUrl(publicUrl(), token), expiresAt: link.expiresAt };
  };
}

/** The address of a link. */
export function linkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/license/links/${token}`;
}
