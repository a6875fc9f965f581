import type { SchemaObject } from 'ajv/dist/2020.js';
import { disablingReasons } from '../../../../../core/webhook/webhook-endpoint.ts';
import {
  answerOf,
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
  pageOf,
  text,
} from '../../docs/schema-parts.ts';
import { replayBody, secretRotationBody, skipBody, webhookBody } from '../bodies/admin-bodies.ts';
import { bodySchema } from './rule-schemas.ts';

const endpoint = {
  id: text,
  url: text,
  productId: described('Null for the events of every product.', nullableText),
  types: described('Null for events of every type.', { type: ['array', 'null'], items: named('EventType') }),
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

const secret = {
  secret: described('The secret, shown only this once; null in a repeated request.', nullableText),
};

/** The named schemas of webhook endpoints. */
export const adminWebhookSchemas = {
  Webhook: objectOf(endpoint),
  WebhookAnswer: answerOf('Webhook'),
  WebhookPage: pageOf('Webhook'),
  WebhookSecret: objectOf({ ...endpoint, ...secret }),
  WebhookSecretAnswer: answerOf('WebhookSecret'),
  WebhookRequest: bodySchema(webhookBody),
  SecretRotationRequest: bodySchema(secretRotationBody),
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
  DeliveryStreamAnswer: answerOf('DeliveryStream'),
  ShownWebhook: objectOf({ ...endpoint, deliveries: listOf(named('DeliveryStream')) }),
  ShownWebhookAnswer: answerOf('ShownWebhook'),
  WebhookTest: objectOf({
    delivered: flag,
    answer: described('The status of the answer, or why there was none.', text),
  }),
  WebhookTestAnswer: answerOf('WebhookTest'),
  Retry: objectOf({ events: count }),
  RetryAnswer: answerOf('Retry'),
  ReplayRequest: bodySchema(replayBody),
  SkipRequest: bodySchema(skipBody),
} as const satisfies Readonly<Record<string, SchemaObject>>;
