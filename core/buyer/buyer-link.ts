import { durationBetween, hour } from '../parsing/duration.ts';

/** A link that shows one entitlement to its buyer, who may change it. Its token is shown once; only its digest is stored. */
export interface BuyerLink {
  /** SHA-256 of the token, base64url. */
  readonly digest: string;
  readonly entitlementId: string;
  /** The app key that made it, and with which it ends; null for one of an operator. */
  readonly appKeyId: string | null;
  /** Where the page leads back to; null for nowhere. */
  readonly returnUrl: string | null;
  /** Whether it is in a mail of lost keys, which anybody can ask for. */
  readonly isForLostKeys: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The maximum number of links for lost keys, and of other links, of one entitlement. One more ends the oldest of its own. */
export const maxLinks = 20;

/** The default time that a link works, in milliseconds. */
export const defaultLinkTime = hour;

/** The rule for the time that a link is asked to work. */
export const linkTimeRule = durationBetween('5m', '24h', '1h');
