import { everyProduct } from '../../core/product/list-products.ts';
import { everyStream } from '../../core/webhook/change-streams.ts';
import { everyWebhook } from '../../core/webhook/list-webhooks.ts';
import { newStream, type DeliveryStream } from '../../core/webhook/stream/delivery-stream.ts';
import { keyOf } from '../../core/webhook/stream/lease.ts';
import type { WebhookEndpoint } from '../../core/webhook/webhook-endpoint.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/** The endpoints and streams of the store, as they were read. */
export interface StreamList {
  /** By id. */
  readonly endpoints: ReadonlyMap<string, WebhookEndpoint>;
  readonly streams: readonly DeliveryStream[];
  /** The streams of enabled endpoints. */
  readonly enabled: readonly EnabledStream[];
  /** The products of these streams. */
  readonly products: ReadonlySet<string>;
}

export interface EnabledStream {
  readonly stream: DeliveryStream;
  readonly endpoint: WebhookEndpoint;
}

export const emptyList: StreamList = { endpoints: new Map(), streams: [], enabled: [], products: new Set() };

export async function readStreamList(parts: DeliveryParts): Promise<StreamList> {
  const { endpoints, streams, newCall } = parts;
  const all = await Array.fromAsync(everyWebhook(endpoints)(newCall));
  if (all.length === 0) return emptyList;
  const found = await Array.fromAsync(everyStream(streams, null, newCall));
  const byId = new Map(all.map((endpoint) => [endpoint.id, endpoint]));
  const enabled = found.flatMap((stream) => {
    const endpoint = byId.get(stream.endpointId);
    return endpoint?.state === 'enabled' ? [{ stream, endpoint }] : [];
  });
  return {
    endpoints: byId,
    streams: found.filter(({ endpointId }) => byId.has(endpointId)),
    enabled,
    products: new Set(enabled.map(({ stream }) => stream.productId)),
  };
}

/**
 * Adds the streams of products that are newer than the endpoints of all products. Their logs are delivered from the
 * beginning.
 */
export async function addMissingStreams(parts: DeliveryParts, { endpoints, streams }: StreamList): Promise<void> {
  const forAll = [...endpoints.values()].filter(({ productId }) => productId === null);
  if (forAll.length === 0) return;
  const known = new Set(streams.map(keyOf));
  for await (const { id } of everyProduct(parts.products)(parts.newCall)) {
    for (const endpoint of forAll) {
      const name = { endpointId: endpoint.id, productId: id };
      if (!known.has(keyOf(name))) await parts.streams.add(newStream(name, 0), parts.newCall());
    }
  }
}
