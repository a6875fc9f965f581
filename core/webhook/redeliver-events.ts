import type { Call } from '../call.ts';
import { isCursor, readCursor } from '../feed/feed-cursor.ts';
import type { ReadFeed } from '../feed/read-feed.ts';
import { textThat } from '../parsing/value-rule.ts';
import { Refusal } from '../refusal.ts';
import { findWebhook } from './change-webhook.ts';
import { retryStreams } from './enable-webhook.ts';
import { changeStream } from './stored-streams.ts';
import { streamName, type DeliveryStream } from './stream/delivery-stream.ts';
import type { DeliveryStreams } from './stream/delivery-streams.port.ts';
import { replayedFrom, skippedTo } from './stream/stream-commands.ts';
import { isForProduct } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

/**
 * Makes everything that failed due at once, parked events too, with all attempts. Returns the number of events. A disabled
 * endpoint is refused with `webhook_disabled`, because nothing would be sent; and `webhook_not_found`.
 */
export type RetryWebhook = (id: string, call: Call) => Promise<number>;

export function retryWebhook(endpoints: WebhookEndpoints, streams: DeliveryStreams): RetryWebhook {
  const retryAll = retryStreams(streams);
  return async (id, call) => {
    const endpoint = await findWebhook(endpoints, id, call);
    if (endpoint.state === 'disabled') throw new Refusal('webhook_disabled');
    return retryAll(endpoint, call);
  };
}

export const feedCursorRule = textThat(isCursor, 'must be a cursor of the feed, the next of one of its pages');

export interface Replay {
  readonly id: string;
  readonly productId: string;
  /** A cursor of the feed of the product: the events after it are delivered again. */
  readonly from: string;
}

/**
 * Delivers events of a product again, with the ids that they had. Events after the cursor, which were not read yet, are
 * delivered anyway. Returns the stream. Refuses with `webhook_not_found`, with `product_not_found` if the endpoint gets
 * no events of the product, and as `ReadFeed` does.
 */
export type ReplayWebhook = (replay: Replay, call: Call) => Promise<DeliveryStream>;

export function replayWebhook(
  endpoints: WebhookEndpoints,
  streams: DeliveryStreams,
  readFeed: ReadFeed,
): ReplayWebhook {
  return async ({ id, productId, from }, call) => {
    const { seen, position } = await streamAt({ endpoints, streams, readFeed }, { id, productId, cursor: from }, call);
    const next = await changeStream(streams, seen, (stored) => replayedFrom(stored, position), call, {
      take: 'all',
    });
    if (next === null) throw new Refusal('webhook_not_found');
    return next;
  };
}

export interface Skip {
  readonly id: string;
  readonly productId: string;
  /** A cursor of the feed of the product: the events up to it are not delivered. */
  readonly to: string;
  /** Only the events of this entitlement, as far as they were read; null for those of every entitlement. */
  readonly entitlementId: string | null;
}

export interface Skipped {
  readonly stream: DeliveryStream;
  /** False if there was nothing to skip. */
  readonly changed: boolean;
}

/**
 * Leaves out events of a product that were not delivered, up to a cursor: those that an endpoint can never handle, or
 * does not need. Later ones go on. Safe to repeat. Refuses with `webhook_not_found`, with `product_not_found` if the
 * endpoint gets no events of the product, as `ReadFeed` does, and with `changed_meanwhile`.
 */
export type SkipWebhookEvents = (skip: Skip, call: Call) => Promise<Skipped>;

export function skipWebhookEvents(
  endpoints: WebhookEndpoints,
  streams: DeliveryStreams,
  readFeed: ReadFeed,
): SkipWebhookEvents {
  return async ({ id, productId, to, entitlementId }, call) => {
    const { seen, position } = await streamAt({ endpoints, streams, readFeed }, { id, productId, cursor: to }, call);
    let changed = false;
    const decide = (stored: DeliveryStream): DeliveryStream => {
      const next = skippedTo(stored, { position, entitlementId }, call.now);
      changed = next !== stored;
      return next;
    };
    const take = entitlementId === null ? 'all' : [entitlementId];
    const stream = await changeStream(streams, seen, decide, call, { take });
    if (stream === null) throw new Refusal('webhook_not_found');
    return { stream, changed };
  };
}

interface StreamPorts {
  readonly endpoints: WebhookEndpoints;
  readonly streams: DeliveryStreams;
  readonly readFeed: ReadFeed;
}

interface CursorOfStream {
  readonly id: string;
  readonly productId: string;
  readonly cursor: string;
}

/** Finds a stream, and the position of a cursor of its log. */
async function streamAt(
  { endpoints, streams, readFeed }: StreamPorts,
  { id, productId, cursor }: CursorOfStream,
  call: Call,
): Promise<{ readonly seen: DeliveryStream; readonly position: number }> {
  const endpoint = await findWebhook(endpoints, id, call);
  const seen = isForProduct(endpoint, productId) ? await streams.find(streamName(endpoint, productId), call) : null;
  if (seen === null) throw new Refusal('product_not_found');
  // Reads the feed for its check of the cursor.
  await readFeed(productId, { after: cursor, limit: 1 }, call);
  return { seen, position: readCursor(cursor).position };
}
