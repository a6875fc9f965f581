import type { WebhookBacklog } from '../../../../core/webhook/show-webhook-backlog.ts';
import { badge } from '../../markup/badge.ts';
import { countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { headedPage, primaryLink } from '../display/headed-page.ts';
import { pageLinks } from '../display/paging.ts';
import { empty, hostOf, written } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { idSegment } from '../frame/id-segment.ts';
import { stateOf } from './endpoint-state.ts';

export const webhooksPath = '/console/webhooks';
export const addWebhookPath = `${webhooksPath}/add`;

/** The texts of the list after a change. */
export const webhookListDone = { delete: 'The endpoint was deleted.' };

/** The path of an endpoint's page, or of one of its changes. */
export function webhookPath(id: string, change = ''): string {
  return `${webhooksPath}/${idSegment(id)}${change === '' ? '' : `/${change}`}`;
}

export interface WebhookListPart {
  readonly items: readonly WebhookBacklog[];
  readonly after: string | null;
  readonly next: string | null;
}

/** The list of endpoints. */
export function webhookListPage(
  view: PageView,
  { items, after, next }: WebhookListPart,
  done: Html | null,
): PageContent {
  const add = view.may('admin:access') ? { href: addWebhookPath, text: 'Add endpoint' } : null;
  const isEmpty = items.length === 0 && after === null;
  return headedPage(
    {
      title: 'Webhooks',
      beside: add === null || isEmpty ? null : primaryLink(add),
      says: 'Latchkey tells your systems of every change: signed, in order, and as often as it takes.',
    },
    html`${done}
    ${
      isEmpty
        ? empty(
            view,
            'webhook',
            'No endpoint yet',
            'Add the URL of your server, and it learns of renewals, cancellations and ends within a second.',
            { link: add, command: 'latchkey webhook add --url https://shop.example/hooks' },
          )
        : html`${endpointTable(items)} ${pageLinks(webhooksPath, new URLSearchParams(), after, next)}`
    }`,
  );
}

function endpointTable(items: readonly WebhookBacklog[]): Html {
  const rows = items.map((item) => ({ item, state: stateOf(item) }));
  return table(
    'Webhook endpoints, by id',
    [
      {
        heading: 'Endpoint',
        cell: ({ item: { endpoint } }) =>
          html`<a class="row" href="${webhookPath(endpoint.id)}">${written(hostOf(endpoint))}</a
            ><span class="sub mono">${endpoint.id}</span>`,
      },
      {
        heading: 'State',
        cell: ({ state }) => html`${badge(state.tone, state.word)}<span class="sub">${state.says}</span>`,
      },
      { heading: 'Waiting', atEnd: true, cell: ({ state }) => countText(state.waiting) },
      { heading: 'Parked', atEnd: true, cell: ({ state }) => countText(state.parked) },
    ],
    rows,
  );
}
