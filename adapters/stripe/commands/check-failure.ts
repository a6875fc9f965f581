import { isOfLibrary, StripeTooSlow } from '../client/ask-stripe.ts';

/** Why Stripe could not be asked. */
export type CheckFailure =
  | { readonly kind: 'no answer' }
  /** `status` is null for an answer that is not in Stripe's form. */
  | { readonly kind: 'answer'; readonly status: number | null };

/** Asks Stripe. Returns null for a success. Throws what Stripe has no part in, such as a fault of the store. */
export async function failureOf(ask: () => Promise<unknown>): Promise<CheckFailure | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (error instanceof StripeTooSlow) return { kind: 'no answer' };
    if (!isOfLibrary(error)) throw error;
    const { type, statusCode } = error;
    return type === 'StripeConnectionError' ? { kind: 'no answer' } : { kind: 'answer', status: statusCode ?? null };
  }
}

/** Says what to do about a failure to read something, which Stripe's dashboard names as a permission. */
export function problemOf(failure: CheckFailure, permission: string): string {
  if (failure.kind === 'no answer') {
    return 'Stripe does not answer: check the network and STRIPE_API_BASE, and try again.';
  }
  const { status } = failure;
  if (status === null) return 'What answers is not Stripe: check STRIPE_API_BASE.';
  if (status === 401) return 'Stripe refuses the key: it is wrong or has expired. Set STRIPE_API_KEY to a valid one.';
  if (status === 403) return `The key may not read ${permission}: give it the permission at Stripe.`;
  const answer = `Stripe answers ${status} where ${permission} are read`;
  return status === 429 || status >= 500 ? `${answer}: try again later.` : `${answer}: check STRIPE_API_BASE.`;
}
