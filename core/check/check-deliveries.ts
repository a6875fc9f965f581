import type { NewCall } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
import { isOwnReceiver } from '../receiver/own-receiver.ts';
import { everyStream } from '../webhook/stored-streams.ts';
import { firstNeeded, type StreamName } from '../webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { isStreamOf, type WebhookEndpoint } from '../webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../webhook/webhook-endpoints.port.ts';
import type { EventFaults } from './event-faults.ts';

export interface DeliveryCheckParts {
  readonly deliveryStreams: DeliveryStreams;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
}

/**
 * Checks that the deliveries of every endpoint are within the logs of their products, and that all deliveries belong to
 * an endpoint. Those that belong to none are one fault for each id.
 */
export async function checkDeliveries(parts: DeliveryCheckParts, faults: EventFaults, newCall: NewCall): Promise<void> {
  const { deliveryStreams, webhookEndpoints } = parts;
  const orphans = new Set<string>();
  let endpoint: WebhookEndpoint | null = null;
  for await (const stream of everyStream(deliveryStreams, null, newCall)) {
    const { endpointId } = stream;
    // It sends the current state, and needs no event.
    if (isOwnReceiver(endpointId)) continue;
    if (endpoint === null || !isStreamOf(stream, endpoint))
      endpoint = await webhookEndpoints.find(endpointId, newCall());
    if (endpoint !== null && isStreamOf(stream, endpoint)) await checkStream(parts, stream, faults, newCall);
    else if (!orphans.has(endpointId) && (await deliveryStreams.find(stream, newCall())) !== null) {
      orphans.add(endpointId);
      const remedy = endpoint === null ? 'webhook delete' : 'webhook add with its own terms';
      faults.add(
        `Endpoint ${endpointId}: there are deliveries that an addition has left, which failed or is going on. Run ${remedy}.`,
      );
    }
  }
}

/**
 * Checks one stream. The beginning of the log is read before the stream, and the end after it. So the log had every
 * event that the stream has not delivered, and has every event that it has read.
 */
async function checkStream(
  { deliveryStreams, events }: DeliveryCheckParts,
  name: StreamName,
  faults: EventFaults,
  newCall: NewCall,
): Promise<void> {
  const { productId } = name;
  const { first } = await events.page(productId, 0, 1, newCall());
  const stream = await deliveryStreams.find(name, newCall(), 'all');
  if (stream === null) return;
  const last = await events.lastPosition(productId, newCall());
  const whose = `Endpoint ${name.endpointId} and product ${productId}:`;
  const { cursor } = stream;
  if (cursor > last) {
    faults.add(`${whose} the deliveries are at position ${cursor}, but the log ends at ${last}. Run webhook replay.`);
  }
  const needed = firstNeeded(stream);
  if (needed < first) {
    faults.add(`${whose} position ${needed} is not delivered, but the log begins at ${first}. Run webhook skip.`);
  }
  const unread = [...stream.pending.values()].flatMap(({ positions }) => positions).find((each) => each > cursor);
  if (unread !== undefined) faults.add(`${whose} position ${unread} is pending, but was not read.`);
}
