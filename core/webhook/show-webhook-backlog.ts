import type { Call } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
import { waitingCount } from './delivery-backlog.ts';
import type { ShowWebhook } from './show-webhooks.ts';
import { parkedCount, type DeliveryStream } from './stream/delivery-stream.ts';
import { everyLastPosition } from './stream/delivery-streams.port.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** What an endpoint has not received of one product. */
export interface StreamBacklog {
  readonly stream: DeliveryStream;
  /** Events that are due or wait for their next attempt, those that were not read yet included. */
  readonly waiting: number;
  /** Events that wait for a retry by hand. */
  readonly parked: number;
}

export interface WebhookBacklog {
  readonly endpoint: WebhookEndpoint;
  /** One for each product. */
  readonly streams: readonly StreamBacklog[];
}

/** Shows an endpoint with the number of events that it has not received. Refuses with `webhook_not_found`. */
export type ShowWebhookBacklog = (id: string, call: Call) => Promise<WebhookBacklog>;

export function showWebhookBacklog(show: ShowWebhook, events: Pick<Events, 'lastPositions'>): ShowWebhookBacklog {
  return async (id, call) => {
    const { endpoint, streams } = await show(id, call);
    const ends = await everyLastPosition(
      events,
      streams.map(({ productId }) => productId),
      () => call,
    );
    return {
      endpoint,
      streams: streams.map((stream) => ({
        stream,
        waiting: waitingCount(stream, ends.get(stream.productId) ?? 0),
        parked: parkedCount(stream),
      })),
    };
  };
}
