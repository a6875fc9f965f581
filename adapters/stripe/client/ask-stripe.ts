import type { Stripe } from 'stripe';
import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';

/** Milliseconds without a byte from Stripe after which a request has failed. The library's default is 80 seconds. */
const maxSilence = 8000;

/**
 * Sends a request through Stripe's library, and waits for the answer until the deadline of the call. Throws the error of
 * the library as it is, and `StripeTooSlow` at the deadline.
 */
export async function askStripe<T>(call: Call, send: (options: Stripe.RequestOptions) => Promise<T>): Promise<T> {
  const remaining = Math.max(0, call.deadline.remaining());
  if (remaining === 0) throw new StripeTooSlow();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StripeTooSlow()), remaining);
  });
  try {
    // The library's timeout counts the silence of one attempt, so that it alone bounds neither retries nor slow bodies.
    return await Promise.race([send({ timeout: Math.ceil(Math.min(maxSilence, remaining)) }), expired]);
  } finally {
    clearTimeout(timer);
  }
}

export class StripeTooSlow extends Error {
  constructor() {
    super('Stripe did not answer before the deadline');
  }
}

/** Sends a request like `askStripe`. Returns null for what Stripe does not know, or does not show to this key. */
export async function findAtStripe<T>(
  call: Call,
  send: (options: Stripe.RequestOptions) => Promise<T>,
): Promise<T | null> {
  try {
    return await askStripe(call, send);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Reports whether Stripe has answered that it does not know what a request names. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'resource_missing';
}

/** The refusal for a failure of Stripe or the store. */
export function asUnavailable(error: unknown): Refusal {
  if (error instanceof Refusal && error.code === 'stripe_unavailable') return error;
  return new Refusal('stripe_unavailable', { cause: isOfLibrary(error) ? new Error(factsOf(error)) : error });
}

/**
 * Describes an error of Stripe without its message, which may quote the id of a session: anybody who knows that can claim
 * a key.
 */
function factsOf({ type, code, statusCode, requestId }: LibraryError): string {
  const facts = [statusCode, code, requestId].filter((fact) => fact !== undefined);
  return facts.length === 0 ? type : `${type} (${facts.join(', ')})`;
}

interface LibraryError {
  readonly type: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly requestId?: string;
}

/** Reports whether Stripe's library has thrown an error. */
export function isOfLibrary(error: unknown): error is LibraryError {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');
}
