import { refusalsOfStripe } from '../../../core/billing/outgoing-stream.ts';
import { isOfLibrary } from '../client/ask-stripe.ts';

/** The meaning of an error of Stripe's library for a request. */
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

/** Reads an error of a request to Stripe. Null for one that is not the library's. */
export function failureOf(error: unknown): Failure | null {
  if (!isOfLibrary(error)) return null;
  const { type, statusCode: status, message, headers } = error;
  // Two processes have sent the same idempotency key of the library. A repeat has another one.
  if (status !== undefined && refusalsOfStripe.has(status) && type !== 'StripeIdempotencyError') {
    return { kind: 'refused', status, message };
  }
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
  return { kind: 'transient', status: status ?? null, answer: type, retryAfter };
}
