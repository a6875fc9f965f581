import type { Call, NewCall } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
import type { LoggedEvent } from '../feed/logged-event.ts';
import { productSlices } from '../product/list-products.ts';
import type { Products } from '../product/products.port.ts';
import { everyStream } from '../webhook/stored-streams.ts';
import { newStream, parkedCount, pendingCount, streamName } from '../webhook/stream/delivery-stream.ts';
import { everyLastPosition, type DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import type { WebhookEndpoint, WebhookType } from '../webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../webhook/webhook-endpoints.port.ts';

/**
 * A receiver of events that is part of the service. It is no stored endpoint, so that no command for webhooks lists,
 * disables or deletes it; its streams are kept as those of endpoints are. It sends the current state, so that the log
 * is not kept because of it.
 */
export interface OwnReceiver {
  readonly endpoint: WebhookEndpoint;
  /** Whether an event asks it for anything. */
  readonly wants: (event: LoggedEvent) => boolean;
  /** An event older than this, in milliseconds, is parked for a person to send. Null: never. */
  readonly maxAge: ((event: LoggedEvent) => number) | null;
  /** Whether it is sent the current state, so that a new event also brings older parked ones. */
  readonly sendsState: boolean;
}

/** The endpoint of such a receiver. Its id begins with `@`, which that of no stored endpoint does. */
export function ownEndpoint(id: `@${string}`, types: readonly WebhookType[]): WebhookEndpoint {
  return {
    id,
    addition: '',
    url: '',
    productId: null,
    types,
    secrets: [],
    state: 'enabled',
    reason: null,
    isPublicOnly: false,
    createdAt: new Date(0),
    revision: 1,
  };
}

/** Reports whether the id of a stream's endpoint is that of a receiver of the service. */
export function isOwnReceiver(endpointId: string): boolean {
  return endpointId.startsWith('@');
}

/** A list with one endpoint. */
export function onlyEndpoint(endpoint: WebhookEndpoint): Pick<WebhookEndpoints, 'page'> {
  return { page: async ({ after }) => (after === null ? [endpoint] : []) };
}

interface Ports {
  readonly deliveryStreams: DeliveryStreams;
  readonly events: Pick<Events, 'lastPositions'>;
  readonly products: Products;
}

/**
 * Adds the streams of a store that has none yet, from the ends of the logs: what happened before the store knew the receiver
 * is not sent. The logs of later products are sent from their beginnings. A stream of no product says that a beginning goes on
 * or was interrupted: then the streams that are missing are not those of later products.
 */
export async function beginReceiver(
  { endpoint }: Pick<OwnReceiver, 'endpoint'>,
  { deliveryStreams, events, products }: Ports,
  newCall: NewCall,
): Promise<void> {
  const beginning = newStream(streamName({ ...endpoint, addition: 'beginning' }, '-'), 0);
  const page = { endpointId: endpoint.id, after: null, limit: 1 };
  if ((await deliveryStreams.page(page, newCall())).length === 0) await deliveryStreams.add([beginning], newCall());
  else if ((await deliveryStreams.find(beginning, newCall())) === null) return;
  for await (const slice of productSlices(products, newCall)) {
    const ids = slice.map(({ id }) => id);
    const last = await everyLastPosition(events, ids, newCall);
    const streams = ids.map((id) => newStream(streamName(endpoint, id), last.get(id) ?? 0));
    await deliveryStreams.add(streams, newCall());
  }
  await deliveryStreams.remove([beginning], newCall());
}

/** The events that a receiver has not been sent. */
export interface ReceiverBacklog {
  /** Events that are due or wait for their next attempt. */
  readonly pending: number;
  /** Events whose attempts have all failed. */
  readonly parked: number;
  /** The first failure since the last success; null if the last attempt has succeeded. */
  readonly failingSince: Date | null;
}

export type ReadReceiverBacklog = (call: Call) => Promise<ReceiverBacklog>;

export function readReceiverBacklog(
  { endpoint }: Pick<OwnReceiver, 'endpoint'>,
  deliveryStreams: Pick<DeliveryStreams, 'page'>,
): ReadReceiverBacklog {
  return async (call) => {
    let pending = 0;
    let parked = 0;
    let failingSince: Date | null = null;
    for await (const stream of everyStream(deliveryStreams, endpoint.id, () => call)) {
      const parkedHere = parkedCount(stream);
      parked += parkedHere;
      pending += pendingCount(stream) - parkedHere;
      const since = stream.failingSince;
      if (since !== null && (failingSince === null || since < failingSince)) failingSince = since;
    }
    return { pending, parked, failingSince };
  };
}
