import type { Call } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
import { healthOf, type EndpointHealth } from '../webhook/endpoint-health.ts';
import { everyBacklog } from '../webhook/show-webhook-backlog.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import type { WebhookEndpoint } from '../webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../webhook/webhook-endpoints.port.ts';

/** An endpoint that needs a person: it is disabled without anybody having asked for it, it fails, or events are parked. */
export interface TroubledEndpoint extends EndpointHealth {
  readonly endpoint: Pick<WebhookEndpoint, 'id' | 'url' | 'reason'>;
}

interface Ports {
  readonly deliveryStreams: Pick<DeliveryStreams, 'page'>;
  readonly events: Pick<Events, 'lastPositions'>;
  readonly webhookEndpoints: Pick<WebhookEndpoints, 'page'>;
}

export async function findTroubledEndpoints(
  { webhookEndpoints: endpoints, deliveryStreams: streams, events }: Ports,
  call: Call,
): Promise<readonly TroubledEndpoint[]> {
  const backlogs = await everyBacklog({ endpoints, streams, events }, call);
  return backlogs
    .map(({ endpoint: { id, url, reason }, streams: own }) => ({ endpoint: { id, url, reason }, ...healthOf(own) }))
    .filter(({ endpoint, failing, parked }) => {
      const isDisabledByItself = endpoint.reason === 'gone' || endpoint.reason === 'failing';
      return isDisabledByItself || (endpoint.reason === null && (failing !== null || parked > 0));
    });
}
