import type { Administration } from '../../../../core/administration/administration.ts';
import { defaultOverlap } from '../../../../core/key/change-keys.ts';
import { shownEndpoint } from '../../../../core/webhook/webhook-endpoint.ts';
import { listAnswer, type AdminRow } from './admin-operation.ts';
import { shownWebhookView, streamView } from './admin-views.ts';
import { replayBody, secretRotationBody, skipBody, webhookBody } from './bodies/admin-bodies.ts';
import { webhookDocs } from './docs/webhook-docs.ts';
import { identifierIn, pageIn } from './query-parameters.ts';

const list = '/admin/webhooks';
const one = `${list}/:id`;

/** What every operation on webhook endpoints has in common: who may change where events go may read all of them. */
const access = 'admin:access';

export function webhookRows(administration: Administration): readonly AdminRow[] {
  const { addWebhook, listWebhooks, showWebhook, rotateWebhookSecret, deleteWebhook } = administration;
  return [
    {
      id: 'listWebhooks',
      method: 'GET',
      path: list,
      access,
      docs: webhookDocs.list,
      answer: async (request) => {
        const page = pageIn(request);
        return listAnswer(page, await listWebhooks(page, request.call), shownEndpoint);
      },
    },
    {
      id: 'addWebhook',
      method: 'POST',
      path: list,
      access,
      body: 'json',
      docs: webhookDocs.add,
      answer: async ({ body, call }) => {
        const { id = null, url, productId = null, types = null } = webhookBody.read(body);
        const { endpoint, secret } = await addWebhook({ id, url, productId, types }, call);
        return { status: secret === null ? 200 : 201, data: { ...shownEndpoint(endpoint), secret } };
      },
    },
    {
      id: 'showWebhook',
      method: 'GET',
      path: one,
      access,
      docs: webhookDocs.show,
      answer: async ({ parameters: { id = '' }, call }) => ({ data: shownWebhookView(await showWebhook(id, call)) }),
    },
    {
      id: 'rotateWebhookSecret',
      method: 'POST',
      path: `${one}/rotate-secret`,
      access,
      body: 'optional json',
      docs: webhookDocs.rotateSecret,
      answer: async ({ parameters: { id = '' }, body, call }) => {
        const { overlap = defaultOverlap } = secretRotationBody.read(body);
        const { endpoint, secret } = await rotateWebhookSecret({ id, overlap, revision: null }, call);
        return { status: 201, data: { ...shownEndpoint(endpoint), secret } };
      },
    },
    ...stateRows(administration),
    ...deliveryRows(administration),
    {
      id: 'deleteWebhook',
      method: 'DELETE',
      path: one,
      access,
      docs: webhookDocs.remove,
      answer: async (request) => {
        const id = identifierIn(request, 'id');
        const deleted = await deleteWebhook(id, request.call);
        return { data: { deleted: deleted ? 1 : 0 } };
      },
    },
  ];
}

function stateRows({ enableWebhook, disableWebhook }: Administration): readonly AdminRow[] {
  return [
    {
      id: 'enableWebhook',
      method: 'POST',
      path: `${one}/enable`,
      access,
      docs: webhookDocs.enable,
      answer: async ({ parameters: { id = '' }, call }) => ({
        data: shownEndpoint((await enableWebhook(id, call)).endpoint),
      }),
    },
    {
      id: 'disableWebhook',
      method: 'POST',
      path: `${one}/disable`,
      access,
      docs: webhookDocs.disable,
      answer: async ({ parameters: { id = '' }, call }) => ({
        data: shownEndpoint((await disableWebhook(id, 'requested', call)).endpoint),
      }),
    },
  ];
}

function deliveryRows({
  testWebhook,
  retryWebhook,
  replayWebhook,
  skipWebhookEvents,
}: Administration): readonly AdminRow[] {
  return [
    {
      id: 'testWebhook',
      method: 'POST',
      path: `${one}/test`,
      access,
      docs: webhookDocs.test,
      answer: async ({ parameters: { id = '' }, call }) => {
        const { kind, answer } = await testWebhook(id, call);
        return { data: { delivered: kind === 'delivered', answer } };
      },
    },
    {
      id: 'retryWebhook',
      method: 'POST',
      path: `${one}/retry`,
      access,
      docs: webhookDocs.retry,
      answer: async ({ parameters: { id = '' }, call }) => ({ data: { events: await retryWebhook(id, call) } }),
    },
    {
      id: 'replayWebhook',
      method: 'POST',
      path: `${one}/replay`,
      access,
      body: 'json',
      docs: webhookDocs.replay,
      answer: async ({ parameters: { id = '' }, body, call }) => ({
        data: streamView(await replayWebhook({ id, ...replayBody.read(body) }, call)),
      }),
    },
    {
      id: 'skipWebhookEvents',
      method: 'POST',
      path: `${one}/skip`,
      access,
      body: 'json',
      docs: webhookDocs.skip,
      answer: async ({ parameters: { id = '' }, body, call }) => {
        const { entitlementId = null, ...skip } = skipBody.read(body);
        const { stream } = await skipWebhookEvents({ id, entitlementId, ...skip }, call);
        return { data: streamView(stream) };
      },
    },
  ];
}
