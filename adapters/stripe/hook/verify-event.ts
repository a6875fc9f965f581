import type { Stripe } from 'stripe';
import { Refusal } from '../../../core/refusal.ts';
import type { StripeClient } from '../client/create-stripe.ts';

/** The part of an event that is used: what it is about, but no state that it shows. */
export interface EventFacts {
  readonly id: string;
  readonly type: string;
  readonly object: EventObject;
}

/** The ids in the object of an event, in the shapes of all versions of the API. */
export type EventObject = Readonly<Record<string, unknown>>;

/**
 * Verifies that Stripe has signed these bytes with one of the secrets at most five minutes ago. Null for a signed message
 * that is no event of the classic form. Refuses with `invalid_signature`.
 */
export function verifyEvent(
  stripe: Pick<StripeClient, 'webhooks'>,
  content: Uint8Array,
  signature: string,
  secrets: readonly string[],
): EventFacts | null {
  for (const secret of secrets) {
    try {
      return factsOf(stripe.webhooks.constructEvent(Buffer.from(content), signature, secret));
    } catch (error) {
      if (!isOfSignature(error)) return null;
    }
  }
  throw new Refusal('invalid_signature');
}

/** Reads an event that the API shows. */
export function factsOf({ id, type, data }: Pick<Stripe.Event, 'id' | 'type' | 'data'>): EventFacts {
  return { id, type, object: { ...data.object } };
}

function isOfSignature(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'StripeSignatureVerificationError';
}
