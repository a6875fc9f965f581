import type { Call } from '../call.ts';
import type { NewId } from '../identifier.ts';
import { findWebhook } from './find-webhook.ts';
import type { DeliveryOutcome, SendDelivery } from './send-delivery.ts';
import { signingKeys } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

/** Milliseconds before the deadline of the call at which a receiver has not answered in time. */
const reserve = 250;

/**
 * Sends a message of the type `webhook.test` to an endpoint, enabled or not, and returns how that went, before the
 * deadline of the call. It changes no state, whatever the answer is. Refuses with `webhook_not_found`.
 */
export type TestWebhook = (id: string, call: Call) => Promise<DeliveryOutcome>;

export function testWebhook(endpoints: WebhookEndpoints, newEventId: NewId, send: SendDelivery): TestWebhook {
  return async (id, call) => {
    const endpoint = await findWebhook(endpoints, id, call);
    const message = { id: newEventId(), type: 'webhook.test' as const, at: call.now };
    const delivery = { url: endpoint.url, keys: signingKeys(endpoint, call.now), message };
    return send(delivery, Math.max(0, call.deadline.remaining() - reserve));
  };
}
