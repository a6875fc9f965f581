import { disablingReasons, webhookTypes } from '../../../../core/webhook/webhook-endpoint.ts';
import {
  count,
  described,
  enumOf,
  flag,
  instant,
  listOf,
  named,
  nullableInstant,
  nullableText,
  objectOf,
  orNull,
  text,
} from '../../declaration/schema-parts.ts';

const endpointMembers = {
  id: text,
  url: text,
  productId: described('Null for the events of every product.', nullableText),
  types: described('Null for every event of an entitlement.', {
    type: ['array', 'null'],
    items: named('WebhookType'),
  }),
  state: enumOf(['enabled', 'disabled']),
  reason: orNull(
    described(
      'Why it is disabled: by a request or command, because it answered 410, or because it failed for five days.',
      enumOf(disablingReasons),
    ),
  ),
  secrets: described('How many secrets sign deliveries: more than one while one is replaced.', count),
  createdAt: instant,
};

/** The schemas of the answers about endpoints. */
export const webhookSchemas = {
  WebhookType: described(
    'A type of events. Those of tiers and statements are about no entitlement, so that only an endpoint that names them gets them.',
    enumOf(webhookTypes),
  ),
  Webhook: objectOf(endpointMembers),
  WebhookSecret: objectOf({
    ...endpointMembers,
    secret: described('The secret, shown only this once; null in a repeated request.', nullableText),
  }),
  DeliveryAttempt: objectOf({
    at: described('When it was sent.', instant),
    eventId: text,
    status: described('The status of the answer; null if there was none.', orNull(count)),
    reason: described('Why there was no answer; null if there was one.', nullableText),
    durationMs: described('Milliseconds until the answer, or until there could be none any more.', count),
  }),
  DeliveryStream: objectOf({
    productId: text,
    position: described('How many events of the product were read.', count),
    pending: described('Events that were read and not delivered.', count),
    parked: described('Those of them that wait for a manual retry.', count),
    failingSince: described('The first failure since the last success.', nullableInstant),
    nextProbeAt: described('When the endpoint, which is down, is tried again.', nullableInstant),
    deliveredAt: described('The last success.', nullableInstant),
    attempts: described('The last 20 requests, the last to end first.', listOf(named('DeliveryAttempt'))),
  }),
  ShownWebhook: objectOf({ ...endpointMembers, deliveries: listOf(named('DeliveryStream')) }),
  WebhookTest: objectOf({
    delivered: flag,
    answer: described('The status of the answer, or why there was none.', text),
  }),
  Retry: objectOf({ events: count }),
};
