import { identifierRule } from '../../../core/identifier.ts';
import { defaultOverlap } from '../../../core/key/change-keys.ts';
import { durationRule } from '../../../core/parsing/duration.ts';
import type { CommandRefusal } from '../../../core/refusal.ts';
import type { ChangedWebhook } from '../../../core/webhook/change-webhook.ts';
import { feedCursorRule } from '../../../core/webhook/redeliver-events.ts';
import { parkedCount, pendingCount, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import {
  disablingReasons,
  eventTypesRule,
  shownEndpoint,
  webhookUrlRule,
} from '../../../core/webhook/webhook-endpoint.ts';
import { command, list, type Command, type CommandGroup, type Outcome } from '../declaration/command.ts';
import { defaulting, optional, required, subject } from '../declaration/member.ts';
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
} from '../declaration/schema-parts.ts';

const columns = ['id', 'url', 'productId', 'types', 'state', 'reason', 'secrets', 'createdAt'];
const streamColumns = ['productId', 'position', 'pending', 'parked', 'failingSince', 'nextProbeAt', 'deliveredAt'];

/** The state of the deliveries of one product. */
function streamView(stream: DeliveryStream) {
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

const ofProduct = required('--product <id>', 'the product', identifierRule);
const ofStream: readonly CommandRefusal[] = [
  'webhook_not_found',
  'product_not_found',
  'cursor_expired',
  'cursor_unknown',
  'changed_meanwhile',
];

const id = subject('<id>', 'the id of the endpoint');

function stateCommand(verb: 'enable' | 'disable', does: string, summary: string, description: string): Command {
  return command({
    verb,
    does,
    operation: {
      id: `${verb}Webhook`,
      route: `POST /admin/webhooks/:id/${verb}`,
      access: 'admin:access',
      summary,
      description: `${description} Repeating it changes nothing.`,
      answer: { schema: 'WebhookAnswer', description: 'The endpoint.' },
      refusals: ['webhook_not_found', 'changed_meanwhile'],
    },
    members: { id },
    log: {
      [`${verb}Webhook`]: ({ changed }: ChangedWebhook, webhookId: string) => (changed ? { webhookId } : null),
    },
    run: async ({ enableWebhook, disableWebhook }, values, call) => {
      const change = verb === 'enable' ? enableWebhook(values.id, call) : disableWebhook(values.id, 'requested', call);
      return { data: shownEndpoint((await change).endpoint) };
    },
  });
}

const endpointMembers = {
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

/** What the answers about endpoints are made of. */
const schemas = {
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

/** The members of a new endpoint. */
export const newWebhook = {
  id: {
    ...optional('--id <id>', 'the id of the endpoint, so that a repeat adds no other', identifierRule),
    label: 'Id',
    hint: 'Names the endpoint in lists and in the log.',
  },
  url: {
    ...required('--url <url>', 'the URL that events are delivered to', webhookUrlRule),
    label: 'URL',
    hint: 'http or https, without user name and fragment.',
  },
  productId: {
    ...optional('--product <id>', 'only events of this product (default: all)', identifierRule),
    label: 'Product',
  },
  types: {
    ...optional('--types <types>', 'only events of these types, comma-separated (default: all)', eventTypesRule),
    label: 'Events',
    hint: 'None ticked: events of all types.',
  },
};

/** How long an old secret signs as well. */
export const secretOverlap = {
  ...defaulting('--overlap <duration>', 'how long the old secret signs too', durationRule, [defaultOverlap, '24h']),
  label: 'Overlap',
  hint: 'How long the old secret signs as well: a whole number with s, m, h or d. 0s ends it at once.',
};

/** The members that say which events are skipped. */
export const skipped = {
  productId: { ...ofProduct, label: 'Product' },
  to: required('--to <cursor>', 'the cursor of the feed up to which events are skipped', feedCursorRule),
  entitlementId: {
    ...optional('--entitlement <id>', 'only the events of this entitlement (default: all)', identifierRule),
    label: 'Entitlement',
    hint: 'Only the events of this one that were tried before. Empty: the events of every entitlement.',
  },
};

/** The commands about webhook endpoints. Who may change where events go may read all of them. */
export const webhookCommands: CommandGroup = {
  name: 'webhook',
  tag: { name: 'Webhooks', description: 'The URLs that events are delivered to.' },
  schemas,
  commands: [
    list({
      does: 'list endpoints, without their secrets',
      operation: {
        id: 'listWebhooks',
        route: 'GET /admin/webhooks',
        access: 'admin:access',
        summary: 'List webhook endpoints.',
        description: 'By id, without their secrets.',
        answer: { schema: 'WebhookPage', description: 'A page of endpoints.' },
        refusals: [],
      },
      members: {},
      page: ({ listWebhooks }, _all, page, call) => listWebhooks(page, call),
      every: ({ everyWebhook }, _all, newCall) => everyWebhook(newCall),
      view: shownEndpoint,
      columns,
      flexible: ['url'],
    }),
    command({
      verb: 'add',
      does: 'add an endpoint, whose secret is shown only once',
      operation: {
        id: 'addWebhook',
        route: 'POST /admin/webhooks',
        access: 'admin:access',
        summary: 'Add a webhook endpoint.',
        description:
          'It gets every event from now on, in the form of Standard Webhooks 1.0.0. The answer is the only one that shows the secret. With the `id` of an endpoint on the same terms, nothing is added and `secret` is null, so a request with an `id` is safe to repeat.',
        request: {
          schema: 'WebhookRequest',
          example: { id: 'whk_shop', url: 'https://shop.example/latchkey', types: ['entitlement.ended'] },
        },
        answer: {
          schema: 'WebhookSecretAnswer',
          description: 'The endpoint that has the id, without its secret.',
          created: 'The new endpoint.',
        },
        refusals: ['product_not_found', 'webhook_exists'],
      },
      members: newWebhook,
      order: ['url', 'productId', 'types', 'id'],
      log: { addWebhook: ({ endpoint, secret }) => (secret === null ? null : { webhookId: endpoint.id }) },
      run: async ({ addWebhook }, terms, call) => {
        const { endpoint, secret } = await addWebhook(terms, call);
        return {
          data: { ...shownEndpoint(endpoint), secret },
          isNew: secret !== null,
          shown: { id: endpoint.id, secret },
          note: secret === null ? 'The endpoint was added before; its secret is not shown again.' : shownOnce,
        };
      },
    }),
    command({
      verb: 'show',
      does: 'show an endpoint and the state of its deliveries',
      operation: {
        id: 'showWebhook',
        route: 'GET /admin/webhooks/:id',
        access: 'admin:access',
        summary: 'Show a webhook endpoint and its deliveries.',
        description: 'With the state of the deliveries of each product.',
        answer: { schema: 'ShownWebhookAnswer', description: 'The endpoint.' },
        refusals: ['webhook_not_found'],
      },
      members: { id },
      hasBatch: true,
      run: async ({ showWebhook }, values, call) => {
        const { endpoint, streams } = await showWebhook(values.id, call);
        const data = { ...shownEndpoint(endpoint), deliveries: streams.map(streamView) };
        return { data, table: { member: 'deliveries', columns: streamColumns } };
      },
    }),
    command({
      verb: 'rotate-secret',
      does: 'give an endpoint a new secret, which is shown only once',
      operation: {
        id: 'rotateWebhookSecret',
        route: 'POST /admin/webhooks/:id/rotate-secret',
        access: 'admin:access',
        summary: 'Give a webhook endpoint a new secret.',
        description:
          'The answer is the only one that shows the secret. Until the overlap is over (24h by default), the secrets before it sign every delivery as well. A repeat makes another secret.',
        request: { schema: 'SecretRotationRequest', example: { overlap: '24h' } },
        answer: {
          schema: 'WebhookSecretAnswer',
          description: 'The endpoint.',
          created: 'The endpoint with its new secret.',
        },
        refusals: ['webhook_not_found', 'too_many_secrets', 'changed_meanwhile'],
      },
      members: { id, overlap: secretOverlap },
      log: { rotateWebhookSecret: (_rotated, { id: webhookId }) => ({ webhookId }) },
      run: async ({ rotateWebhookSecret }, rotation, call) => {
        const { endpoint, secret } = await rotateWebhookSecret({ ...rotation, revision: null }, call);
        const shown = { id: endpoint.id, secret };
        return { data: { ...shownEndpoint(endpoint), secret }, isNew: true, shown, note: shownOnce };
      },
    }),
    stateCommand(
      'enable',
      'resume deliveries to an endpoint, from the first event that it missed',
      'Enable a webhook endpoint.',
      'Deliveries continue with the first event that was not delivered, and failed events are sent at once.',
    ),
    stateCommand(
      'disable',
      'stop deliveries to an endpoint; its events are kept',
      'Disable a webhook endpoint.',
      'Every process stops within a few seconds. Nothing is lost: events are kept until it is enabled.',
    ),
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
    command({
      verb: 'delete',
      does: 'delete an endpoint for good',
      operation: {
        id: 'deleteWebhook',
        route: 'DELETE /admin/webhooks/:id',
        access: 'admin:access',
        summary: 'Delete a webhook endpoint.',
        description: 'An id without an endpoint is no error.',
        answer: { schema: 'DeletionAnswer', description: 'How many endpoints there were.' },
        refusals: [],
      },
      members: { id },
      log: { deleteWebhook: (deleted, webhookId) => (deleted ? { webhookId } : null) },
      run: async ({ deleteWebhook }, values, call) => {
        const deleted = await deleteWebhook(values.id, call);
        return { data: { deleted: deleted ? 1 : 0 }, text: deleted ? 'Deleted.' : 'There is no such endpoint.' };
      },
    }),
  ],
};

const shownOnce = 'The secret is shown only this once.';
