import type { Call } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
import { everyWebhook } from './show-webhooks.ts';
import { everyStream } from './stored-streams.ts';
import { parkedCount, pendingCount, type DeliveryStream } from './stream/delivery-stream.ts';
import { everyLastPosition, type DeliveryStreams } from './stream/delivery-streams.port.ts';
import { isStreamOf, type DisablingReason, type WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

/** The deliveries that webhook endpoints have not received, and the endpoints by their state. */
export interface DeliveryBacklog {
  /** The number of endpoints that are enabled, and of those that are disabled for each reason. */
  readonly endpoints: Readonly<Record<'enabled' | DisablingReason, number>>;
  /** Deliveries that are due or wait for their next attempt; those of disabled endpoints included. */
  readonly pending: number;
  /** Deliveries that wait for a manual retry. */
  readonly parked: number;
  /** The instant of the oldest event that is pending for an enabled endpoint; null if none is. */
  readonly oldest: Date | null;
}

export type ReadDeliveryBacklog = (call: Call) => Promise<DeliveryBacklog>;

interface Ports {
  readonly endpoints: Pick<WebhookEndpoints, 'page'>;
  readonly streams: Pick<DeliveryStreams, 'page'>;
  readonly events: Pick<Events, 'page' | 'lastPositions'>;
}

/** A stream whose endpoint exists. */
interface OwnedStream {
  readonly stream: DeliveryStream;
  readonly isEnabled: boolean;
}

export function readDeliveryBacklog(ports: Ports): ReadDeliveryBacklog {
  return async (call) => {
    const endpoints = await readEndpoints(ports, call);
    const streams = endpoints.size === 0 ? [] : await readStreams(ports, endpoints, call);
    const total = { pending: 0, parked: 0 };
    let oldest: Date | null = null;
    const byProduct = Map.groupBy(streams, ({ stream }) => stream.productId);
    const lastPositions = await everyLastPosition(ports.events, [...byProduct.keys()], () => call);
    for (const [productId, own] of byProduct) {
      const last = lastPositions.get(productId) ?? 0;
      for (const { stream } of own) {
        total.parked += parkedCount(stream);
        total.pending += waitingCount(stream, last);
      }
      const first = Math.min(...own.map(({ stream, isEnabled }) => (isEnabled ? firstPending(stream) : Infinity)));
      const at = first > last ? null : await instantOf(ports, productId, first, call);
      if (at !== null && (oldest === null || at < oldest)) oldest = at;
    }
    return { endpoints: countOf(endpoints.values()), ...total, oldest };
  };
}

/** Deliveries of a stream that wait for their time or their turn, without those that are parked. `last` is the end of the log. */
export function waitingCount(stream: DeliveryStream, last: number): number {
  return pendingCount(stream) - parkedCount(stream) + Math.max(0, last - stream.cursor);
}

async function readEndpoints({ endpoints }: Ports, call: Call): Promise<ReadonlyMap<string, WebhookEndpoint>> {
  const all = await Array.fromAsync(everyWebhook(endpoints)(() => call));
  return new Map(all.map((endpoint) => [endpoint.id, endpoint]));
}

async function readStreams(
  { streams }: Ports,
  endpoints: ReadonlyMap<string, WebhookEndpoint>,
  call: Call,
): Promise<readonly OwnedStream[]> {
  const all = await Array.fromAsync(everyStream(streams, null, () => call));
  return all.flatMap((stream) => {
    const endpoint = endpoints.get(stream.endpointId);
    const isOwned = endpoint !== undefined && isStreamOf(stream, endpoint);
    return isOwned ? [{ stream, isEnabled: endpoint.state === 'enabled' }] : [];
  });
}

function countOf(endpoints: Iterable<WebhookEndpoint>): DeliveryBacklog['endpoints'] {
  const count = { enabled: 0, requested: 0, gone: 0, failing: 0 };
  for (const { reason } of endpoints) count[reason ?? 'enabled'] += 1;
  return count;
}

/** The first position that is to be delivered without a manual retry. */
function firstPending({ cursor, pending }: DeliveryStream): number {
  const positions = [...pending.values()].flatMap(({ positions: own, at }) => (at === null ? [] : own));
  return Math.min(cursor + 1, ...positions);
}

async function instantOf({ events }: Ports, productId: string, position: number, call: Call): Promise<Date | null> {
  const [placed] = (await events.page(productId, position - 1, 1, call)).events;
  return placed?.event.at ?? null;
}
