/** What an operation answers, in the shape of the current edition and before the headers that every response has. */
export interface Answer {
  readonly status: number;
  /** JSON text, or null for a response without content. */
  readonly body: string | null;
  /** JSON unless it says otherwise. */
  readonly contentType?: string;
  readonly cacheControl: string;
  /** A weak validator over the content without its correlation id. */
  readonly etag?: string;
  /** Further header fields: names and values in turn. */
  readonly headers?: readonly string[];
  /** Whether an earlier answer is repeated to the same idempotency key. */
  readonly replayed?: boolean;
}

export const noStore = 'no-store';

/** A success that no cache may keep. */
export function ok(body: string): Answer {
  return { status: 200, body, cacheControl: noStore };
}
