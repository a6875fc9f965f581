import type { Call } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
import type { LoggedEvent } from '../feed/logged-event.ts';
import type { Page, PageRequest } from '../paging/page.ts';
import { everyWebhook, type ListWebhooks, type ShowWebhook } from './show-webhooks.ts';
import { everyStream, streamsOf } from './stored-streams.ts';
import { maxAttempts, type DeliveryAttempt } from './stream/delivery-attempt.ts';
import { parkedCount, pendingCount, type DeliveryStream } from './stream/delivery-stream.ts';
import { everyLastPosition, type DeliveryStreams } from './stream/delivery-streams.port.ts';
import { isStreamOf, type WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

/** The events of one product that an endpoint has not received. */
export interface StreamBacklog {
  readonly stream: DeliveryStream;
  /** Events that are due or wait for their next attempt, those that were not read yet included. */
  readonly waiting: number;
  /** Events that wait for a manual retry. */
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
    return { endpoint, streams: await backlogsOf(events, streams, call) };
  };
}

/** Lists endpoints as `ListWebhooks`, each with the events that it has not received. */
export type ListWebhookBacklogs = (page: PageRequest, call: Call) => Promise<Page<WebhookBacklog>>;

export function listWebhookBacklogs(
  list: ListWebhooks,
  streams: DeliveryStreams,
  events: Pick<Events, 'lastPositions'>,
): ListWebhookBacklogs {
  return async (page, call) => {
    const { items, next } = await list(page, call);
    const found = await Promise.all(items.map((endpoint) => streamsOf(streams, endpoint, call)));
    return { items: await withBacklogs(events, items, found.flat(), call), next };
  };
}

interface AllPorts {
  readonly endpoints: Pick<WebhookEndpoints, 'page'>;
  readonly streams: Pick<DeliveryStreams, 'page'>;
  readonly events: Pick<Events, 'lastPositions'>;
}

/** Reads what every endpoint has not received. */
export async function everyBacklog(
  { endpoints, streams, events }: AllPorts,
  call: Call,
): Promise<readonly WebhookBacklog[]> {
  const all = await Array.fromAsync(everyWebhook(endpoints)(() => call));
  if (all.length === 0) return [];
  return withBacklogs(events, all, await Array.fromAsync(everyStream(streams, null, () => call)), call);
}

/** Puts the streams of endpoints to them, and leaves out any other. */
async function withBacklogs(
  events: Pick<Events, 'lastPositions'>,
  endpoints: readonly WebhookEndpoint[],
  streams: readonly DeliveryStream[],
  call: Call,
): Promise<readonly WebhookBacklog[]> {
  const backlogs = await backlogsOf(events, streams, call);
  const byId = Map.groupBy(backlogs, ({ stream }) => stream.endpointId);
  return endpoints.map((endpoint) => ({
    endpoint,
    streams: (byId.get(endpoint.id) ?? []).filter(({ stream }) => isStreamOf(stream, endpoint)),
  }));
}

/** Counts what waits in each stream. The ends of the logs are looked up at once. */
async function backlogsOf(
  events: Pick<Events, 'lastPositions'>,
  streams: readonly DeliveryStream[],
  call: Call,
): Promise<readonly StreamBacklog[]> {
  const productIds = [...new Set(streams.map(({ productId }) => productId))];
  const ends = await everyLastPosition(events, productIds, () => call);
  return streams.map((stream) => {
    const parked = parkedCount(stream);
    const unread = Math.max(0, (ends.get(stream.productId) ?? 0) - stream.cursor);
    return { stream, waiting: pendingCount(stream) - parked + unread, parked };
  });
}

/** A request to an endpoint, and the event that it was about; null if the log no longer keeps it. */
export interface EventAttempt {
  readonly attempt: DeliveryAttempt;
  readonly event: LoggedEvent | null;
}

/** Finds the last attempts of an endpoint over all products, the newest first: as many as one stream keeps. */
export type FindLastAttempts = (backlog: WebhookBacklog, call: Call) => Promise<readonly EventAttempt[]>;

export function findLastAttempts(events: Pick<Events, 'page'>): FindLastAttempts {
  return async ({ streams }, call) => {
    const all = streams.flatMap(({ stream }) =>
      stream.attempts.map((attempt) => ({ attempt, productId: stream.productId })),
    );
    const last = all.toSorted((a, b) => b.attempt.at.getTime() - a.attempt.at.getTime()).slice(0, maxAttempts);
    return Promise.all(
      last.map(async ({ attempt, productId }) => {
        const [placed] = (await events.page(productId, attempt.position - 1, 1, call)).events;
        return { attempt, event: placed?.event.id === attempt.eventId ? placed.event : null };
      }),
    );
  };
}
