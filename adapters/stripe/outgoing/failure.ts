import { isOfLibrary } from '../client/ask-stripe.ts';

/** What an error of Stripe's library says of a request. */
export type Failure =
  /** Stripe refuses it, however often it is repeated. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** It may work later. */
  | {
      readonly kind: 'transient';
      readonly status: number | null;
      readonly answer: string;
      /** Milliseconds that Stripe asks for; null if it does not. */
      readonly retryAfter: number | null;
    };

const refusals: ReadonlySet<number | undefined> = new Set([400, 402, 404]);

/** Reads an error of a request to Stripe. Null for one that is not the library's. */
export function failureOf(error: unknown): Failure | null {
  if (!isOfLibrary(error)) return null;
  const { type, statusCode: status, message, headers } = error;
  // Two processes have sent the same idempotency key of the library. A repeat has another one.
  if (refusals.has(status) && type !== 'StripeIdempotencyError') {
    return { kind: 'refused', status: status ?? 0, message };
  }
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
  return { kind: 'transient', status: status ?? null, answer: type, retryAfter };
}
