import type { NewCall } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
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
 * Checks that the deliveries of every endpoint stand within the logs of their products, and that there are no others. A
 * fault of those that belong to no endpoint is one for each id.
 */
export async function checkDeliveries(parts: DeliveryCheckParts, faults: EventFaults, newCall: NewCall): Promise<void> {
  const { deliveryStreams, webhookEndpoints } = parts;
  const orphans = new Set<string>();
  let endpoint: WebhookEndpoint | null = null;
  for await (const stream of everyStream(deliveryStreams, null, newCall)) {
    const { endpointId } = stream;
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
 * Checks one stream. It is read between the two ends of the log: what it had not delivered then was kept before, and what
 * it had read is there after.
 */
async function checkStream(
  { deliveryStreams, events }: DeliveryCheckParts,
  name: StreamName,
  faults: EventFaults,
  newCall: NewCall,
): Promise<void> {
  const { productId } = name;
  const { first } = await events.page(productId, 0, 1, newCall());
  const stream = await deliveryStreams.find(name, newCall());
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
