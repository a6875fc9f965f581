import type { Call } from '../call.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import type { Events } from '../feed/events.port.ts';
import { waitingCount } from './delivery-backlog.ts';
import type { ShowWebhook } from './show-webhooks.ts';
import { maxAttempts, type DeliveryAttempt } from './stream/delivery-attempt.ts';
import { parkedCount, type DeliveryStream } from './stream/delivery-stream.ts';
import { everyLastPosition } from './stream/delivery-streams.port.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** What an endpoint has not received of one product. */
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

/** A request to an endpoint, and the event that it was about; null if the log no longer keeps it. */
export interface EventAttempt {
  readonly attempt: DeliveryAttempt;
  readonly event: EntitlementEvent | null;
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
