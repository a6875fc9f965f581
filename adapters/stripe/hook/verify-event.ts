import type { Stripe } from 'stripe';
import { Refusal } from '../../../core/refusal.ts';
import type { StripeClient } from '../client/create-stripe.ts';

/** The part of an event that is used: its subject, but not the state that it shows. */
export interface EventFacts {
  readonly id: string;
  readonly type: string;
  readonly object: EventObject;
}

/** The ids in the object of an event, in the shapes of all versions of the API. */
export type EventObject = Readonly<Record<string, unknown>>;

/**
 * Verifies that Stripe has signed these bytes with one of the secrets at most five minutes ago, and reads them afterwards.
 * Null for a signed message that is no event, of either payload style. Refuses with `invalid_signature`, whatever it is that
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
  if (!isObject(event)) return null;
  const { id, type } = event;
  if (typeof id !== 'string' || typeof type !== 'string') return null;
  if (event['object'] === 'v2.core.event') return readThinEvent(id, type, event['related_object']);
  const object = event['object'] === 'event' && isObject(event['data']) ? event['data']['object'] : undefined;
  return isObject(object) ? { id, type, object } : null;
}

/** The beginning of the types of the first API in a thin event. */
const firstApi = 'v1.';

/** Reads an event without its object: the object is named, and every look reads it anyway. The second API sells nothing here. */
function readThinEvent(id: string, type: string, related: unknown): EventFacts | null {
  const object = isObject(related) && typeof related['id'] === 'string' ? { id: related['id'] } : null;
  if (object === null) return type.startsWith('v2.') ? { id, type, object: {} } : null;
  return { id, type: type.startsWith(firstApi) ? type.slice(firstApi.length) : type, object };
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
