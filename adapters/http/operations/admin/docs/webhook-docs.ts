import { listParameters, pathParameter, webhooks as tag, type AdminDocs } from './admin-docs.ts';

const parameters = [pathParameter('id', 'The id of the endpoint.')];

/** The documentation of the operations on webhook endpoints. */
export const webhookDocs = {
  list: {
    tag,
    summary: 'List webhook endpoints.',
    description: 'By id, without their secrets.',
    parameters: listParameters,
    success: { description: 'A page of endpoints.', schema: 'WebhookPage' },
    refusals: ['invalid_parameter'],
  },
  add: {
    tag,
    summary: 'Add a webhook endpoint.',
    description:
      'It gets every event from now on, in the form of Standard Webhooks 1.0.0. The answer is the only one that shows the secret. With the `id` of an endpoint on the same terms, nothing is added and `secret` is null, so a request with an `id` is safe to repeat.',
    request: {
      schema: 'WebhookRequest',
      example: { id: 'whk_shop', url: 'https://shop.example/latchkey', types: ['entitlement.ended'] },
    },
    success: {
      description: 'The endpoint that has the id, without its secret.',
      created: 'The new endpoint.',
      schema: 'WebhookSecretAnswer',
    },
    refusals: ['product_not_found', 'webhook_exists'],
  },
  show: {
    tag,
    summary: 'Show a webhook endpoint and its deliveries.',
    description: 'With the state of the deliveries of each product.',
    parameters,
    success: { description: 'The endpoint.', schema: 'ShownWebhookAnswer' },
    refusals: ['webhook_not_found'],
  },
  rotateSecret: {
    tag,
    summary: 'Give a webhook endpoint a new secret.',
    description:
      'The answer is the only one that shows the secret. Until the overlap is over (24h by default), the secrets before it sign every delivery as well. A repeat makes another secret.',
    parameters,
    request: { schema: 'SecretRotationRequest', example: { overlap: '24h' } },
    success: {
      description: 'The endpoint.',
      created: 'The endpoint with its new secret.',
      schema: 'WebhookSecretAnswer',
    },
    refusals: ['webhook_not_found', 'too_many_secrets', 'changed_meanwhile'],
  },
  test: {
    tag,
    summary: 'Send a test message to a webhook endpoint.',
    description:
      'The message has the type `webhook.test` and is about no entitlement. It is sent once, whether the endpoint is enabled or not, and changes nothing.',
    parameters,
    success: { description: 'Whether it arrived.', schema: 'WebhookTestAnswer' },
    refusals: ['webhook_not_found'],
  },
  enable: stateDocs(
    'Enable a webhook endpoint.',
    'Deliveries continue with the first event that was not delivered, and failed events are sent at once. Repeating it changes nothing.',
  ),
  disable: stateDocs(
    'Disable a webhook endpoint.',
    'Every process stops within a few seconds. Nothing is lost: events are kept until it is enabled. Repeating it changes nothing.',
  ),
  retry: {
    tag,
    summary: 'Send all failed events again.',
    description: 'Including parked ones. Each has all its attempts again.',
    parameters,
    success: { description: 'How many events are due now.', schema: 'RetryAnswer' },
    refusals: ['webhook_not_found', 'webhook_disabled', 'changed_meanwhile'],
  },
  replay: {
    tag,
    summary: 'Send the events of a product again.',
    description:
      'Those after `from`, a cursor of the feed, with the ids that they had. Events that were not sent yet are sent anyway.',
    parameters,
    request: { schema: 'ReplayRequest', example: { productId: 'prod_1', from: '1042-T0MyHgIG' } },
    success: { description: 'The state of the deliveries.', schema: 'DeliveryStreamAnswer' },
    refusals: ['webhook_not_found', 'product_not_found', 'cursor_expired', 'cursor_unknown', 'changed_meanwhile'],
  },
  skip: {
    tag,
    summary: 'Skip events that an endpoint has not received.',
    description:
      'Those of a product up to `to`, a cursor of the feed. With `entitlementId`, only those of this entitlement that were read from the feed already. Later events are sent, at once if they waited for a skipped one. Can be repeated.',
    parameters,
    request: {
      schema: 'SkipRequest',
      example: { productId: 'prod_1', to: '1042-T0MyHgIG', entitlementId: 'ent_1' },
    },
    success: { description: 'The state of the deliveries.', schema: 'DeliveryStreamAnswer' },
    refusals: ['webhook_not_found', 'product_not_found', 'cursor_expired', 'cursor_unknown', 'changed_meanwhile'],
  },
  remove: {
    tag,
    summary: 'Delete a webhook endpoint.',
    description: 'An id without an endpoint is no error.',
    parameters,
    success: { description: 'How many endpoints there were.', schema: 'DeletionAnswer' },
    refusals: ['invalid_parameter'],
  },
} as const satisfies Readonly<Record<string, AdminDocs>>;

function stateDocs(summary: string, description: string): AdminDocs {
  return {
    tag,
    summary,
    description,
    parameters,
    success: { description: 'The endpoint.', schema: 'WebhookAnswer' },
    refusals: ['webhook_not_found', 'changed_meanwhile'],
  };
}
