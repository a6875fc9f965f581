import { productSlices } from '../../core/product/list-products.ts';
import { everyWebhook } from '../../core/webhook/show-webhooks.ts';
import { streamSlices } from '../../core/webhook/stored-streams.ts';
import { keyOf, newStream, streamName, type DeliveryStream } from '../../core/webhook/stream/delivery-stream.ts';
import { hasDue, mayRead } from '../../core/webhook/stream/due-deliveries.ts';
import { wakes } from '../../core/webhook/stream/set-aside.ts';
import { isStreamOf, type WebhookEndpoint } from '../../core/webhook/webhook-endpoint.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/** The endpoints and streams of the store, as they were read. */
export interface StreamList {
  readonly endpoints: readonly WebhookEndpoint[];
  /** The streams of endpoints, by their keys. */
  readonly streams: ReadonlyMap<string, OwnedStream>;
  /** Those of enabled endpoints. */
  readonly enabled: readonly OwnedStream[];
  /** The products of enabled streams. */
  readonly products: ReadonlySet<string>;
}

export interface OwnedStream {
  readonly key: string;
  readonly stream: DeliveryStream;
  readonly endpoint: WebhookEndpoint;
}

export const emptyList: StreamList = { endpoints: [], streams: new Map(), enabled: [], products: new Set() };

export async function readStreamList({ endpoints, streams, newCall }: DeliveryParts): Promise<StreamList> {
  const all = await Array.fromAsync(everyWebhook(endpoints)(newCall));
  if (all.length === 0) return emptyList;
  const byId = new Map(all.map((endpoint) => [endpoint.id, endpoint]));
  const list = { streams: new Map<string, OwnedStream>(), enabled: [] as OwnedStream[], products: new Set<string>() };
  for await (const slice of streamSlices(streams, null, newCall)) {
    for (const stream of slice) {
      const endpoint = byId.get(stream.endpointId);
      if (endpoint === undefined || !isStreamOf(stream, endpoint)) continue;
      const owned = { key: keyOf(stream), stream, endpoint };
      list.streams.set(owned.key, owned);
      if (endpoint.state === 'disabled') continue;
      list.enabled.push(owned);
      list.products.add(stream.productId);
    }
  }
  return { endpoints: all, ...list };
}

/**
 * Adds the streams of products that are newer than the endpoints of all products. Their logs are delivered from the
 * beginning.
 */
export async function addMissingStreams(parts: DeliveryParts, { endpoints, streams }: StreamList): Promise<void> {
  const { products, newCall } = parts;
  const forAll = endpoints.filter(({ productId }) => productId === null);
  if (forAll.length === 0) return;
  for await (const slice of productSlices(products, newCall)) {
    for (const endpoint of forAll) {
      const names = slice.map(({ id }) => streamName(endpoint, id)).filter((name) => !streams.has(keyOf(name)));
      const missing = names.map((name) => newStream(name, 0));
      if (missing.length > 0) await parts.streams.add(missing, newCall());
    }
  }
}

/** Reports whether a stream has something to do, given the last position of its log. */
export function hasWork(stream: DeliveryStream, lastPosition: number, now: Date): boolean {
  return (stream.cursor < lastPosition && mayRead(stream)) || hasDue(stream, now) || wakes(stream, now);
}
