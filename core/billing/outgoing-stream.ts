import type { Call, NewCall } from '../call.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import type { Events } from '../feed/events.port.ts';
import { productSlices } from '../product/list-products.ts';
import type { Products } from '../product/products.port.ts';
import { everyStream } from '../webhook/stored-streams.ts';
import { newStream, parkedCount, pendingCount, streamName } from '../webhook/stream/delivery-stream.ts';
import { everyLastPosition, type DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { isForType, type WebhookEndpoint } from '../webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../webhook/webhook-endpoints.port.ts';

/**
 * The receiver of the changes that are sent to the billing system. It is no stored endpoint, so that no command for
 * webhooks lists, disables or deletes it; its streams are kept as those of endpoints are. No endpoint can have its id.
 */
export const outgoing: WebhookEndpoint = {
  id: '@stripe',
  addition: '',
  url: '',
  productId: null,
  types: [
    'entitlement.cancellation_scheduled',
    'entitlement.cancellation_undone',
    'entitlement.suspended',
    'entitlement.reinstated',
    'entitlement.ended',
  ],
  secrets: [],
  state: 'enabled',
  reason: null,
  isPublicOnly: false,
  createdAt: new Date(0),
  revision: 1,
};

/**
 * What the billing system is asked for, each by itself, so that a refusal of one does not stop the others: to end what is
 * revoked, to collect no payments while an operator suspends access, and to cancel or go on.
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

/** What the answers of deliveries say that Stripe did not refuse. */
export const outgoingAnswers: Readonly<Partial<Record<string, 'arrived' | 'dropped'>>> = {
  sent: 'arrived',
  agreed: 'arrived',
  dropped: 'dropped',
};

/** What was asked for here, of the part that it is about. */
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

/** The list of endpoints of which it is the only one. */
export const outgoingOnly: Pick<WebhookEndpoints, 'page'> = {
  page: async ({ after }) => (after === null ? [outgoing] : []),
};

interface Ports {
  readonly deliveryStreams: DeliveryStreams;
  readonly events: Pick<Events, 'lastPositions'>;
  readonly products: Products;
}

/**
 * Adds the streams of a store that has none yet, from the ends of the logs: what was canceled before the store knew of the
 * billing system is not sent. The logs of later products are sent from their beginnings.
 */
export async function beginOutgoing(ports: Ports, newCall: NewCall): Promise<void> {
  const { deliveryStreams, events, products } = ports;
  const page = { endpointId: outgoing.id, after: null, limit: 1 };
  if ((await deliveryStreams.page(page, newCall())).length > 0) return;
  for await (const slice of productSlices(products, newCall)) {
    const ids = slice.map(({ id }) => id);
    const last = await everyLastPosition(events, ids, newCall);
    const streams = ids.map((id) => newStream(streamName(outgoing, id), last.get(id) ?? 0));
    await deliveryStreams.add(streams, newCall());
  }
}

/** What has not been sent to the billing system. */
export interface OutgoingBacklog {
  /** Changes that are due or wait for their next attempt. */
  readonly pending: number;
  /** Changes whose attempts have all failed. */
  readonly parked: number;
  /** The first failure since the last success; null if the last attempt has succeeded. */
  readonly failingSince: Date | null;
}

export type ReadOutgoingBacklog = (call: Call) => Promise<OutgoingBacklog>;

export function readOutgoingBacklog(deliveryStreams: Pick<DeliveryStreams, 'page'>): ReadOutgoingBacklog {
  return async (call) => {
    let pending = 0;
    let parked = 0;
    let failingSince: Date | null = null;
    for await (const stream of everyStream(deliveryStreams, outgoing.id, () => call)) {
      const parkedHere = parkedCount(stream);
      parked += parkedHere;
      pending += pendingCount(stream) - parkedHere;
      const since = stream.failingSince;
      if (since !== null && (failingSince === null || since < failingSince)) failingSince = since;
    }
    return { pending, parked, failingSince };
  };
}
