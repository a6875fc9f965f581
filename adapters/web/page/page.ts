import type { Call, NewCall } from '../../../core/call.ts';

/** The operator's presentation of the marketplace. */
export interface Site {
  readonly name: string;
  /** The heading of the marketplace, and the line below it. */
  readonly heading: string;
  readonly tagline: string;
  /** An absolute URL or a path; null shows a mark in the accent. */
  readonly logo: string | null;
  /** `#rrggbb`. */
  readonly accent: string;
  /** The hosts from which images of listings are shown, such as `cdn.example`. */
  readonly imageHosts: readonly string[];
  /** Shown in the footer. */
  readonly footerLinks: readonly SiteLink[];
  /** Who runs the site, on one line; null says nothing. */
  readonly owner: string | null;
  /** Where the rules about data and where help are; null for nowhere. */
  readonly privacy: string | null;
  readonly help: string | null;
}

export interface SiteLink {
  readonly label: string;
  readonly url: string;
}

/** A request for a page, after the checks of the transport. */
export interface PageRequest {
  readonly call: Call;
  /** Path parameters, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** The raw query, without its question mark. */
  readonly query: string;
  /** The fields of a form that was sent; empty otherwise. */
  readonly form: URLSearchParams;
  /** The value of a header field; empty if it was not sent. */
  readonly header: (name: string) => string;
}

/** Why a page could not do what it was asked for. The transport writes it into `Error-Code` and the log. */
export type PageError = 'not_found' | 'listing_not_found' | 'invalid_email' | 'invalid_body' | 'foreign_origin';

/** Why a page of a license could not do what it was asked for. */
export type BuyerError =
  | 'not_found'
  | 'malformed_license_key'
  | 'license_not_found'
  | 'invalid_body'
  | 'device_limit'
  | 'device_offline'
  | 'too_many_releases'
  | 'no_access'
  | 'link_not_found'
  | 'changed_meanwhile'
  | 'entitlement_ended'
  | 'not_a_subscription'
  | 'invalid_email'
  | 'foreign_origin';

/** Why a page of an affiliate could not do what it was asked for. */
export type AffiliateError =
  | 'affiliate_ended'
  | 'changed_meanwhile'
  | 'listing_not_found'
  | 'listing_not_promotable'
  | 'promotion_not_found'
  | 'statement_not_found'
  | 'too_many_promotions'
  | 'too_many_terms';

/**
 * The lines of a file. The reader begins a call for each part of the work, so that a long file needs no long deadline.
 */
export type FileLines = (newCall: NewCall) => AsyncIterable<string>;

/** The answer of a page, without the header fields of every response. */
export interface PageAnswer {
  readonly status: number;
  readonly content: string | Uint8Array | null;
  /** The lines of a file, made while they are sent; `content` is null. */
  readonly parts?: FileLines;
  readonly contentType?: string;
  readonly cacheControl: string;
  /** A weak validator. */
  readonly etag?: string;
  /** More header fields: names and values alternate. */
  readonly headers?: readonly string[];
  readonly contentPolicy?: string;
  readonly error?: PageError | BuyerError | AffiliateError;
}

/** Answers a request that a page refuses. */
export type Refused = (error: PageError, request: PageRequest) => PageAnswer;

/** A row of the table of pages. */
export interface PageRoute {
  /** Names the page in logs, metrics and rate limits. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** A pattern of find-my-way: `/listings/:slug`. */
  readonly path: string;
  readonly handle: (request: PageRequest) => Promise<PageAnswer>;
}

export const noStore = 'no-store';
