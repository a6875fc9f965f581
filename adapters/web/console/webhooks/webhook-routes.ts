import { eventTypes } from '../../../../core/entitlement/event/event-type.ts';
import type { AddedWebhook } from '../../../../core/webhook/add-webhook.ts';
import { html } from '../../markup/html.ts';
import { pageIn } from '../display/paging.ts';
import { hostOf, mono, statusLine } from '../display/parts.ts';
import { shownOncePage } from '../display/shown-once.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { offeredProducts } from '../products/product-choices.ts';
import { addMembers, webhooksCrumb } from './webhook-forms.ts';
import { addWebhookPath, webhookListDone, webhookListPage, webhookPath, webhooksPath } from './webhook-list-page.ts';
import { webhookDone, webhookPage } from './webhook-page.ts';

/** Endpoints on a page of the list. Each is read with its streams. */
const pageSize = 20;

export function webhookRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { findLastAttempts, listWebhookBacklogs, showWebhookBacklog } = parts.administration;
  return [
    {
      id: 'consoleWebhooks',
      method: 'GET',
      path: webhooksPath,
      access: 'admin:read',
      handle: async ({ call, query, view }) => {
        const { after } = pageIn(query);
        const found = await listWebhookBacklogs({ after, limit: pageSize }, call);
        return shown(webhookListPage(view, { ...found, after }, statusLine(query, webhookListDone)));
      },
    },
    {
      id: 'consoleWebhook',
      method: 'GET',
      path: `${webhooksPath}/:id`,
      access: 'admin:read',
      handle: async ({ call, parameters: { id = '' }, query, view }) => {
        const backlog = await showWebhookBacklog(id, call);
        const attempts = await findLastAttempts(backlog, call);
        return shown(webhookPage(view, backlog, attempts, statusLine(query, webhookDone)));
      },
    },
    ...addRoutes(parts),
  ];
}

function addRoutes({ administration, newIds }: ConsoleParts): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'AddWebhook',
    path: addWebhookPath,
    access: 'admin:access',
    find: ({ call }) => offeredProducts(administration, call),
    asks: (products, { view }, typed) => ({
      path: [webhooksCrumb],
      here: 'Add',
      title: 'Add an endpoint',
      text: 'It gets every event from now on, signed with a secret that is shown once.',
      members: addMembers(products, typed('productId'), view.isLimited),
      button: 'Add endpoint',
    }),
    back: () => ({ href: webhooksPath, text: 'Back to the webhooks' }),
    proposes: () => ({ id: newIds.newWebhookId() }),
    members: addMembers([]),
    refusals: {
      webhook_exists: { member: 'id', problem: 'is that of another endpoint' },
      product_not_found: { member: 'productId', problem: 'must be that of a product that exists' },
    },
    act: async ({ id, url, productId = null, types = null }, _products, { call }) => {
      const isEvery = types?.join() === eventTypes.join();
      const chosen = isEvery ? null : types;
      return shown(readyPage(await administration.addWebhook({ id, url, productId, types: chosen }, call)));
    },
  });
}

function readyPage({ endpoint, secret }: AddedWebhook) {
  const { id, productId, types } = endpoint;
  return shownOncePage({
    path: [webhooksCrumb],
    here: 'Add',
    heading: 'The endpoint is ready',
    label: 'Secret',
    secret,
    advice: 'Your server verifies deliveries with it. If you lose it, rotate it.',
    facts: [
      ['Id', mono(id)],
      ['Host', mono(hostOf(endpoint))],
      ['Product', productId === null ? 'All products' : mono(productId)],
      ['Events', types === null ? 'All types' : html`<span class="mono">${types.join(', ')}</span>`],
    ],
    back: webhookPath(id),
  });
}
