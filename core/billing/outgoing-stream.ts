import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import { isOfEntitlement } from '../feed/logged-event.ts';
import { ownEndpoint, type OwnReceiver } from '../receiver/own-receiver.ts';
import { isForType, type WebhookEndpoint } from '../webhook/webhook-endpoint.ts';

/** The receiver of the changes that are sent to the billing system. */
export const outgoing: WebhookEndpoint = ownEndpoint('@stripe', [
  'entitlement.cancellation_scheduled',
  'entitlement.cancellation_undone',
  'entitlement.suspended',
  'entitlement.reinstated',
  'entitlement.ended',
]);

/**
 * The parts that the billing system is asked for. Each is asked for by itself, so that a refusal of one does not stop the
 * others: to end what is revoked, to collect no payments while an operator suspends access, and to cancel or go on.
 */
export type OutgoingPart = 'end' | 'collection' | 'cancellation';

/** The part that an event asks the billing system for. Null for one that is its own, or of nothing that it sells. */
export function outgoingPart({ type, by, entitlement }: EntitlementEvent): OutgoingPart | null {
  if (by === 'stripe' || !entitlement.id.startsWith('sub_') || !isForType(outgoing, type)) return null;
  if (type === 'entitlement.ended') return entitlement.status === 'revoked' ? 'end' : null;
  const isOfAccess = type === 'entitlement.suspended' || type === 'entitlement.reinstated';
  // The clock suspends for a payment that is missing.
  if (!isOfAccess) return 'cancellation';
  return by === 'clock' ? null : 'collection';
}

/** The statuses with which Stripe refuses a change, however often it is sent. */
export const refusalsOfStripe: ReadonlySet<number> = new Set([400, 402, 404]);

/** The meanings of delivery answers that Stripe did not refuse. */
export const outgoingAnswers: Readonly<Partial<Record<string, 'arrived' | 'dropped'>>> = {
  sent: 'arrived',
  agreed: 'arrived',
  dropped: 'dropped',
};

/** The part that each change is about. */
export const partOfChange = {
  cancellation: 'cancellation',
  resumption: 'cancellation',
  revocation: 'end',
  suspension: 'collection',
  reinstatement: 'collection',
} as const satisfies Readonly<Record<string, OutgoingPart>>;

export type OutgoingChange = keyof typeof partOfChange;

/** The change that an event asks the billing system for. Null where `outgoingPart` is. */
export function outgoingChange(event: EntitlementEvent): OutgoingChange | null {
  switch (outgoingPart(event)) {
    case null:
      return null;
    case 'end':
      return 'revocation';
    case 'collection':
      return event.type === 'entitlement.suspended' ? 'suspension' : 'reinstatement';
    case 'cancellation':
      return event.type === 'entitlement.cancellation_scheduled' ? 'cancellation' : 'resumption';
  }
}

/** Reports whether an event is a change that the billing system is asked for: of a subscription there, and not its own. */
export function isForBilling(event: EntitlementEvent): boolean {
  return outgoingPart(event) !== null;
}

/** The billing system as a receiver. */
export const billing: OwnReceiver = {
  endpoint: outgoing,
  wants: (event) => isOfEntitlement(event) && isForBilling(event),
  maxAge: null,
  sendsState: true,
};
