import { day, durationBetween, hour } from '../parsing/duration.ts';

/**
 * A link that shows one entitlement to its buyer, who may change it, or an affiliate's own page. Its token is shown once; only
 * its digest is stored.
 */
export interface BuyerLink {
  /** SHA-256 of the token, base64url. */
  readonly digest: string;
  /** The id of an entitlement, or what `affiliateSubject` has written. */
  readonly subject: string;
  /** The app key that made it, and with which it ends; null for one of an operator. */
  readonly appKeyId: string | null;
  /** Where the page leads back to; null for nowhere. */
  readonly returnUrl: string | null;
  /** Whether it is in a mail that anybody can ask for: of lost keys, or of the link of an affiliate. */
  readonly isForLostKeys: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const affiliates = 'affiliate/';

/** Names an affiliate as the subject of a link. No identifier has a slash. */
export function affiliateSubject(handle: string): string {
  return affiliates + handle;
}

/** The handle of an affiliate in the subject of a link; null for an entitlement. */
export function handleInSubject(subject: string): string | null {
  return subject.startsWith(affiliates) ? subject.slice(affiliates.length) : null;
}

/** The maximum number of links for lost keys, and of other links, of one subject. One more ends the oldest of its own. */
export const maxLinks = 20;

/** The default time that a link works, in milliseconds. */
export const defaultLinkTime = hour;

/** The rule for the time that a link is asked to work. */
export const linkTimeRule = durationBetween('5m', '24h', '1h');

/** The default time that a link of an affiliate works, in milliseconds, and the rule for another. */
export const affiliateLinkTime = 30 * day;
export const affiliateLinkTimeRule = durationBetween('1h', '90d', '30d');
