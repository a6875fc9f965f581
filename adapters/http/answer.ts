import type { NewCall } from '../../core/call.ts';
import type { ErrorCode } from './refusals.ts';

/** The answer of an operation in the shape of the current edition, without the header fields of every response. */
export interface Answer {
  readonly status: number;
  /** JSON text or, with another `contentType`, any content. Null for a response without content. */
  readonly body: string | Uint8Array | null;
  /**
   * Content that is made while it is sent, instead of `body`. Each part of the work begins a call, with a deadline of
   * its own.
   */
  readonly parts?: (newCall: NewCall) => AsyncIterable<string>;
  /** Default: JSON. Only JSON is rewritten for superseded editions. */
  readonly contentType?: string;
  readonly cacheControl: string;
  /** The `Content-Security-Policy`. Default: nothing may be loaded, and no page may show the answer. */
  readonly contentPolicy?: string;
  /** Default: `no-referrer`. */
  readonly referrerPolicy?: string;
  /** A weak validator of the content without its correlation id. */
  readonly etag?: string;
  /** More header fields: names and values alternate. */
  readonly headers?: readonly string[];
  /** Why the request was refused; absent for a success. */
  readonly errorCode?: ErrorCode;
  /** The entitlement that the request was about, for the log. */
  readonly entitlementId?: string;
  /** Whether it repeats the first answer to an idempotency key. */
  readonly replayed?: boolean;
}

/** The `Cache-Control` of answers that no cache may store. */
export const noStore = 'no-store';
/** The `Cache-Control` of answers that change only with a release or a setting. */
export const forAnHour = 'public, max-age=3600';

/** Seconds for which a cache may serve a stale answer while it asks for a new one. */
const staleWhileRevalidate = 30;

/** The `Cache-Control` of answers that show the catalog. `maxAge` is in milliseconds. */
export function catalogCacheControl(maxAge: number): string {
  return `public, max-age=${Math.floor(maxAge / 1000)}, stale-while-revalidate=${staleWhileRevalidate}`;
}

/** The header field of a cacheable answer whose shape depends on the edition. */
export const varyByEdition: readonly string[] = ['Vary', 'API-Version'];

/** A 200 that no cache may store. */
export function ok(body: string): Answer {
  return { status: 200, body, cacheControl: noStore };
}
