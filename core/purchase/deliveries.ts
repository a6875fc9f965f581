import { isForBilling, outgoing, outgoingAnswers, refusalsOfStripe } from '../billing/outgoing-stream.ts';
import type { PlacedEvent } from '../feed/events.port.ts';
import { isMailEnd, mailing, mailOf, type EventMailKind, type MailEnd } from '../mail/mailing.ts';
import type { DeliveryAttempt } from '../webhook/stream/delivery-attempt.ts';
import type { DeliveryStream } from '../webhook/stream/delivery-stream.ts';
import { isForType, type WebhookEndpoint } from '../webhook/webhook-endpoint.ts';

/** An endpoint that gets the events of a product, and the state of its deliveries; null before the first. */
export interface Receiver {
  readonly endpoint: WebhookEndpoint;
  readonly stream: DeliveryStream | null;
}

/** The outcome of an event at one endpoint. */
export interface EventDelivery {
  readonly endpoint: WebhookEndpoint;
  /** `failed` events wait for a manual retry. */
  readonly state: 'delivered' | 'waiting' | 'failed';
  /** The last attempt; null if there was none yet, or if it is no longer kept. */
  readonly attempt: DeliveryAttempt | null;
  /** When a waiting event is tried next; null if that depends on others before it, or if the endpoint is disabled. */
  readonly nextAt: Date | null;
}

/** Finds what became of an event at every endpoint that gets it. */
export function deliveriesOf(placed: PlacedEvent, receivers: readonly Receiver[]): readonly EventDelivery[] {
  return receivers
    .filter(({ endpoint }) => isForType(endpoint, placed.event.type))
    .map((receiver) => deliveryTo(receiver, placed))
    .filter((delivery) => delivery !== null);
}

/** The outcome of a change that Stripe is asked for. */
export interface StripeDelivery extends Omit<EventDelivery, 'endpoint' | 'state'> {
  /** `dropped`: the buyer has canceled at Stripe since. `parked` ones are sent by a person. */
  readonly state: 'waiting' | 'parked' | 'arrived' | 'dropped' | 'refused';
}

/** Finds what became of a change at Stripe. Null for any other event, and where nothing is known of it. */
export function deliveryToStripe(placed: PlacedEvent, stream: DeliveryStream | null): StripeDelivery | null {
  if (stream === null || !isForBilling(placed.event)) return null;
  const delivery = deliveryTo({ endpoint: outgoing, stream }, placed);
  if (delivery === null) return null;
  const { attempt, nextAt } = delivery;
  const state = stateAtStripe(delivery);
  return state === null ? null : { state, attempt, nextAt };
}

/** Null where the last attempt is not known, or has failed: before the first start with a key nothing was sent. */
function stateAtStripe({ state, attempt }: EventDelivery): StripeDelivery['state'] | null {
  if (state === 'waiting') return 'waiting';
  if (state === 'failed') return 'parked';
  if (attempt === null) return null;
  if (attempt.status !== null) return refusalsOfStripe.has(attempt.status) ? 'refused' : null;
  return outgoingAnswers[attempt.reason ?? ''] ?? null;
}

/** The outcome of the mail of an event. */
export interface MailDelivery extends Omit<EventDelivery, 'endpoint' | 'state'> {
  readonly kind: EventMailKind;
  /** `parked` ones are sent by `mail retry`. The others say how it ended. */
  readonly state: 'waiting' | 'parked' | MailEnd;
}

/** Finds what became of the mail of an event. Null for an event without one, and where nothing is known of it. */
export function deliveryByMail(placed: PlacedEvent, stream: DeliveryStream | null): MailDelivery | null {
  const kind = mailOf(placed.event);
  if (stream === null || kind === null) return null;
  const delivery = deliveryTo({ endpoint: mailing.endpoint, stream }, placed);
  if (delivery === null) return null;
  const { state, attempt, nextAt } = delivery;
  if (state !== 'delivered') return { kind, state: state === 'waiting' ? 'waiting' : 'parked', attempt, nextAt };
  // Before the first start with mail nothing was mailed, and only the last attempts are kept.
  const end = attempt?.reason ?? null;
  return isMailEnd(end) ? { kind, state: end, attempt, nextAt } : null;
}

function deliveryTo({ endpoint, stream }: Receiver, { position, event }: PlacedEvent): EventDelivery | null {
  const attempt = stream?.attempts.find(({ eventId }) => eventId === event.id) ?? null;
  const pending = stream?.pending.get(event.entitlement.id);
  if (stream === null || position > stream.cursor) return { endpoint, state: 'waiting', attempt, nextAt: null };
  if (pending?.positions.includes(position) !== true) {
    // An endpoint gets what happens after it was added.
    const isOlder = event.at < endpoint.createdAt && attempt === null;
    return isOlder ? null : { endpoint, state: 'delivered', attempt, nextAt: null };
  }
  if (pending.at === null) return { endpoint, state: 'failed', attempt, nextAt: null };
  const isNext = pending.positions[0] === position && endpoint.state === 'enabled';
  return { endpoint, state: 'waiting', attempt, nextAt: isNext ? (stream.probe?.at ?? pending.at) : null };
}
