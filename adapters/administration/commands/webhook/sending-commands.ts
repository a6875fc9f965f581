import type { CommandRefusal } from '../../../../core/refusal.ts';
import { feedCursorRule } from '../../../../core/webhook/redeliver-events.ts';
import { parkedCount, pendingCount, type DeliveryStream } from '../../../../core/webhook/stream/delivery-stream.ts';
import { command, type Command, type Outcome } from '../../declaration/command.ts';
import { required } from '../../declaration/member.ts';
import { id, ofProduct, skipped } from './webhook-members.ts';

export const streamColumns = [
  'productId',
  'position',
  'pending',
  'parked',
  'failingSince',
  'nextProbeAt',
  'deliveredAt',
];

/** The state of the deliveries of one product. */
export function streamView(stream: DeliveryStream) {
  const { productId, cursor, failingSince, probe, deliveredAt, attempts } = stream;
  return {
    productId,
    position: cursor,
    pending: pendingCount(stream),
    parked: parkedCount(stream),
    failingSince,
    nextProbeAt: probe?.at ?? null,
    deliveredAt,
    attempts: attempts.map(({ at, eventId, status, reason, durationMs }) => ({
      at,
      eventId,
      status,
      reason,
      durationMs,
    })),
  };
}

function streamOutcome(stream: DeliveryStream): Outcome {
  const data = streamView(stream);
  const { attempts: _, ...facts } = data;
  return { data, facts };
}

const ofStream: readonly CommandRefusal[] = [
  'webhook_not_found',
  'product_not_found',
  'cursor_expired',
  'cursor_unknown',
  'changed_meanwhile',
];

/** The commands about messages to an endpoint. */
export const sendingCommands: readonly Command[] = [
  command({
    verb: 'test',
    does: 'send a test message to an endpoint',
    operation: {
      id: 'testWebhook',
      route: 'POST /admin/webhooks/:id/test',
      access: 'admin:access',
      summary: 'Send a test message to a webhook endpoint.',
      description:
        'The message has the type `webhook.test` and is about no entitlement. It is sent once, whether the endpoint is enabled or not, and changes nothing.',
      answer: { schema: 'WebhookTestAnswer', description: 'Whether it arrived.' },
      refusals: ['webhook_not_found'],
    },
    members: { id },
    log: { testWebhook: (_outcome, webhookId) => ({ webhookId }) },
    run: async ({ testWebhook }, values, call) => {
      const { kind, answer } = await testWebhook(values.id, call);
      const delivered = kind === 'delivered';
      return { data: { delivered, answer }, text: `${delivered ? 'Delivered' : 'Not delivered'}: ${answer}.` };
    },
  }),
  command({
    verb: 'retry',
    does: 'send all failed events again, including parked ones',
    operation: {
      id: 'retryWebhook',
      route: 'POST /admin/webhooks/:id/retry',
      access: 'admin:access',
      summary: 'Send all failed events again.',
      description: 'Including parked ones. Each has all its attempts again.',
      answer: { schema: 'RetryAnswer', description: 'How many events are due now.' },
      refusals: ['webhook_not_found', 'webhook_disabled', 'changed_meanwhile'],
    },
    members: { id },
    log: { retryWebhook: (events, webhookId) => (events === 0 ? null : { webhookId }) },
    run: async ({ retryWebhook }, values, call) => {
      const events = await retryWebhook(values.id, call);
      return { data: { events }, text: `${events} due now.` };
    },
  }),
  command({
    verb: 'replay',
    does: 'send the events of a product again',
    operation: {
      id: 'replayWebhook',
      route: 'POST /admin/webhooks/:id/replay',
      access: 'admin:access',
      summary: 'Send the events of a product again.',
      description:
        'Those after `from`, a cursor of the feed, with the ids that they had. Events that were not sent yet are sent anyway.',
      request: { schema: 'ReplayRequest', example: { productId: 'prod_1', from: '1042-T0MyHgIG' } },
      answer: { schema: 'DeliveryStreamAnswer', description: 'The state of the deliveries.' },
      refusals: ofStream,
    },
    members: {
      id,
      productId: ofProduct,
      from: required('--from <cursor>', 'a cursor of the feed, after which the events are sent', feedCursorRule),
    },
    log: { replayWebhook: (_stream, { id: webhookId }) => ({ webhookId }) },
    run: async ({ replayWebhook }, replay, call) => streamOutcome(await replayWebhook(replay, call)),
  }),
  command({
    verb: 'skip',
    does: 'skip events of a product that an endpoint has not received',
    operation: {
      id: 'skipWebhookEvents',
      route: 'POST /admin/webhooks/:id/skip',
      access: 'admin:access',
      summary: 'Skip events that an endpoint has not received.',
      description:
        'Those of a product up to `to`, a cursor of the feed. With `entitlementId`, only those of this entitlement that were read from the feed already. Later events are sent, at once if they waited for a skipped one. Can be repeated.',
      request: {
        schema: 'SkipRequest',
        example: { productId: 'prod_1', to: '1042-T0MyHgIG', entitlementId: 'ent_1' },
      },
      answer: { schema: 'DeliveryStreamAnswer', description: 'The state of the deliveries.' },
      refusals: ofStream,
    },
    members: { id, ...skipped },
    log: { skipWebhookEvents: ({ changed }, { id: webhookId }) => (changed ? { webhookId } : null) },
    run: async ({ skipWebhookEvents }, skip, call) => streamOutcome((await skipWebhookEvents(skip, call)).stream),
  }),
];
