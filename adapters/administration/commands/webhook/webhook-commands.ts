import type { ChangedWebhook } from '../../../../core/webhook/change-webhook.ts';
import { shownEndpoint } from '../../../../core/webhook/webhook-endpoint.ts';
import { command, list, type Command, type CommandGroup } from '../../declaration/command.ts';
import { sendingCommands, streamColumns, streamView } from './sending-commands.ts';
import { id, newWebhook, secretOverlap } from './webhook-members.ts';
import { webhookSchemas } from './webhook-schemas.ts';

const columns = ['id', 'url', 'productId', 'types', 'state', 'reason', 'secrets', 'createdAt'];
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

/** The commands about webhook endpoints. Who may change where events go may read all of them. */
export const webhookCommands: CommandGroup = {
  name: 'webhook',
  tag: { name: 'Webhooks', description: 'The URLs that events are delivered to.' },
  schemas: webhookSchemas,
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
        refusals: ['product_not_found', 'limited_key', 'webhook_exists'],
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
    ...sendingCommands,
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
