import type { Call, NewCall } from '../call.ts';
import { cursorAt, textIn } from '../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../paging/page.ts';
import { walk } from '../paging/walk.ts';
import { findWebhook } from './change-webhook.ts';
import { streamsOf } from './stored-streams.ts';
import type { DeliveryStream } from './stream/delivery-stream.ts';
import type { DeliveryStreams } from './stream/delivery-streams.port.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

const list = ['webhooks'] as const;

/** Lists endpoints by id in code-point order. Refuses with `invalid_parameter` for a cursor of another list. */
export type ListWebhooks = (page: PageRequest, call: Call) => Promise<Page<WebhookEndpoint>>;

export function listWebhooks(endpoints: WebhookEndpoints): ListWebhooks {
  return async (page, call) => {
    const after = textIn(list, page.after);
    const found = await endpoints.page({ products: null, after, limit: page.limit + 1 }, call);
    return pageOf(found, page, ({ id }) => cursorAt(list, [id]));
  };
}

/** Walks over every endpoint in the order of `ListWebhooks`. */
export type EveryWebhook = (newCall: NewCall) => AsyncIterable<WebhookEndpoint>;

export function everyWebhook(endpoints: Pick<WebhookEndpoints, 'page'>): EveryWebhook {
  return (newCall) =>
    walk((last, limit, call) => endpoints.page({ products: null, after: last?.id ?? null, limit }, call), newCall);
}

/** An endpoint with the states of its deliveries, one for each product. */
export interface ShownWebhook {
  readonly endpoint: WebhookEndpoint;
  readonly streams: readonly DeliveryStream[];
}

/** Shows an endpoint. Refuses with `webhook_not_found`. */
export type ShowWebhook = (id: string, call: Call) => Promise<ShownWebhook>;

export function showWebhook(endpoints: WebhookEndpoints, streams: DeliveryStreams): ShowWebhook {
  return async (id, call) => {
    const endpoint = await findWebhook(endpoints, id, call);
    return { endpoint, streams: await streamsOf(streams, endpoint, call) };
  };
}
