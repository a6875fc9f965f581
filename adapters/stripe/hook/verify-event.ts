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
 * Verifies that Stripe has signed these bytes with one of the secrets at most five minutes ago, and reads them afterwards.
 * Null for a signed message that is no event of the classic form. Refuses with `invalid_signature`, whatever it is that
 * does not let the signature be verified.
 */
export function verifyEvent(
  stripe: Pick<StripeClient, 'webhooks'>,
  content: Uint8Array,
  signature: string,
  secrets: readonly string[],
): EventFacts | null {
  if (!secrets.some((secret) => isSigned(stripe, content, signature, secret))) throw new Refusal('invalid_signature');
  return readEvent(content);
}

function isSigned(
  { webhooks }: Pick<StripeClient, 'webhooks'>,
  content: Uint8Array,
  signature: string,
  secret: string,
): boolean {
  try {
    return webhooks.signature?.verifyHeader(content, signature, secret, webhooks.DEFAULT_TOLERANCE) === true;
  } catch {
    // The library throws errors of several classes: that for an empty signature is not its signature error.
    return false;
  }
}

/** Reads a message that is signed. */
function readEvent(content: Uint8Array): EventFacts | null {
  const event = parsed(content);
  if (!isObject(event) || event['object'] !== 'event') return null;
  const { id, type, data } = event;
  const object = isObject(data) ? data['object'] : undefined;
  return typeof id === 'string' && typeof type === 'string' && isObject(object) ? { id, type, object } : null;
}

function parsed(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(content));
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is EventObject {
  return typeof value === 'object' && value !== null;
}

/** Reads an event that the API shows. */
export function factsOf({ id, type, data }: Pick<Stripe.Event, 'id' | 'type' | 'data'>): EventFacts {
  return { id, type, object: { ...data.object } };
}
