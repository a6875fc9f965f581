import type { Call } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
import { everyWebhook } from '../webhook/show-webhooks.ts';
import { everyStream } from '../webhook/stored-streams.ts';
import { parkedCount, pendingCount, type DeliveryStream } from '../webhook/stream/delivery-stream.ts';
import { everyLastPosition, type DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { maxFailingTime } from '../webhook/stream/record-attempt.ts';
import { isStreamOf, type WebhookEndpoint } from '../webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../webhook/webhook-endpoints.port.ts';

/** An endpoint that needs a person: it is disabled without anybody having asked for it, it fails, or events are parked. */
export interface TroubledEndpoint {
  readonly endpoint: Pick<WebhookEndpoint, 'id' | 'url' | 'reason'>;
  /** The first failure since the last success; null if it does not fail. */
  readonly failingSince: Date | null;
  /** When it is disabled unless a delivery succeeds. */
  readonly disabledAt: Date | null;
  readonly nextAttempt: Date | null;
  readonly waiting: number;
  readonly parked: number;
}

interface Ports {
  readonly deliveryStreams: Pick<DeliveryStreams, 'page'>;
  readonly events: Pick<Events, 'lastPositions'>;
  readonly webhookEndpoints: Pick<WebhookEndpoints, 'page'>;
}

export async function findTroubledEndpoints(ports: Ports, call: Call): Promise<readonly TroubledEndpoint[]> {
  const endpoints = await Array.fromAsync(everyWebhook(ports.webhookEndpoints)(() => call));
  if (endpoints.length === 0) return [];
  const streams = await Array.fromAsync(everyStream(ports.deliveryStreams, null, () => call));
  const productIds = [...new Set(streams.map(({ productId }) => productId))];
  const ends = await everyLastPosition(ports.events, productIds, () => call);
  return endpoints
    .map((endpoint) =>
      troubleOf(
        endpoint,
        streams.filter((stream) => isStreamOf(stream, endpoint)),
        ends,
      ),
    )
    .filter(({ endpoint, failingSince, parked }) => {
      const isDisabledByItself = endpoint.reason === 'gone' || endpoint.reason === 'failing';
      return isDisabledByItself || (endpoint.reason === null && (failingSince !== null || parked > 0));
    });
}

function troubleOf(
  { id, url, reason }: WebhookEndpoint,
  streams: readonly DeliveryStream[],
  ends: ReadonlyMap<string, number>,
): TroubledEndpoint {
  const failingSince = earliest(streams.map((stream) => stream.failingSince));
  const parked = sum(streams.map(parkedCount));
  const unread = sum(streams.map(({ productId, cursor }) => Math.max(0, (ends.get(productId) ?? 0) - cursor)));
  const attempts = streams.flatMap(({ probe, pending }) => probe?.at ?? [...pending.values()].map(({ at }) => at));
  return {
    endpoint: { id, url, reason },
    failingSince,
    disabledAt: failingSince === null ? null : new Date(failingSince.getTime() + maxFailingTime),
    nextAttempt: earliest(attempts),
    waiting: sum(streams.map(pendingCount)) - parked + unread,
    parked,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function earliest(instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((at) => at !== null).map((at) => at.getTime());
  return known.length === 0 ? null : new Date(Math.min(...known));
}
