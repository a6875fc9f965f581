import type { ErrorCode } from './refusals.ts';

/** The answer of an operation in the shape of the current edition, without the header fields of every response. */
export interface Answer {
  readonly status: number;
  /** JSON text, or null for a response without content. */
  readonly body: string | null;
  /** Default: JSON. */
  readonly contentType?: string;
  readonly cacheControl: string;
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

export const noStore = 'no-store';

/** A 200 that no cache may store. */
export function ok(body: string): Answer {
  return { status: 200, body, cacheControl: noStore };
}
