import type { Call } from '../call.ts';
import { changeWebhook, type ChangedWebhook } from './change-webhook.ts';
import { changeStream, streamsOf } from './stored-streams.ts';
import { pendingCount } from './stream/delivery-stream.ts';
import type { DeliveryStreams } from './stream/delivery-streams.port.ts';
import { retried } from './stream/stream-commands.ts';
import type { DisablingReason, WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

/**
 * Stops the deliveries to an endpoint. Nothing is lost: events are kept until it is enabled. One that is disabled keeps
 * its reason. Refuses with `webhook_not_found`.
 */
export type DisableWebhook = (id: string, reason: DisablingReason, call: Call) => Promise<ChangedWebhook>;

export function disableWebhook(endpoints: WebhookEndpoints): DisableWebhook {
  return (id, reason, call) =>
    changeWebhook(
      endpoints,
      id,
      (seen) => (seen.state === 'disabled' ? null : { ...seen, state: 'disabled', reason }),
      call,
    );
}

/**
 * Begins to deliver again, from the first event that was not delivered: everything that failed is due at once. An endpoint
 * that is enabled stays as it is. Refuses with `webhook_not_found`.
 */
export type EnableWebhook = (id: string, call: Call) => Promise<ChangedWebhook>;

export function enableWebhook(endpoints: WebhookEndpoints, streams: DeliveryStreams): EnableWebhook {
  const retryAll = retryStreams(streams);
  return async (id, call) => {
    const answer = await changeWebhook(
      endpoints,
      id,
      (seen) => (seen.state === 'enabled' ? null : { ...seen, state: 'enabled', reason: null }),
      call,
    );
    if (answer.changed) await retryAll(answer.endpoint, call);
    return answer;
  };
}

/** Makes everything that was read and not delivered due at once. Returns the number of events. */
export type RetryStreams = (endpoint: WebhookEndpoint, call: Call) => Promise<number>;

export function retryStreams(streams: DeliveryStreams): RetryStreams {
  return async (endpoint, call) => {
    let events = 0;
    for (const seen of await streamsOf(streams, endpoint, call)) {
      if (pendingCount(seen) === 0 && seen.failingSince === null) continue;
      const all = { kind: 'retry', at: call.now } as const;
      const next = await changeStream(streams, seen, (stored) => retried(stored, call.now), call, { all });
      events += next === null ? 0 : pendingCount(next);
    }
    return events;
  };
}
