import type { WebhookBacklog } from '../../../../core/webhook/show-webhook-backlog.ts';
import { badge } from '../../markup/badge.ts';
import { countOf } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import { hostOf, mono, written } from '../display/parts.ts';
import type { Seen } from '../form/seen.ts';
import type { ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { decisionRoutes, type DecidedOn } from '../frame/decision-routes.ts';
import { stateOf } from './endpoint-state.ts';
import { pathTo } from './webhook-forms.ts';
import { webhookPath, webhooksPath } from './webhook-list-page.ts';

/** The changes of an endpoint that a button makes: *Retry now*, *Enable*, *Disable* and *Delete*. */
export function webhookStateRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { deleteWebhook, disableWebhook, enableWebhook, retryWebhook, showWebhookBacklog } = administration;
  const endpoints: DecidedOn<WebhookBacklog> = {
    noun: 'endpoint',
    kind: 'Webhook',
    access: 'admin:access',
    path: (change) => webhookPath(':id', change),
    find: ({ call, parameters: { id = '' } }) => showWebhookBacklog(id, call),
    crumbs: ({ endpoint: { id } }) => pathTo(id),
    facts: (known) => {
      const { tone, word } = stateOf(known);
      return [
        ['Endpoint', mono(known.endpoint.id)],
        ['Host', mono(hostOf(known.endpoint))],
        ['State', badge(tone, word)],
      ];
    },
    seen: seenOf,
    intent: ({ endpoint: { id } }, verb) => html`${verb} ${mono(id)}.`,
    back: ({ endpoint: { id } }) => webhookPath(id),
  };
  return decisionRoutes(endpoints, [
    {
      name: 'retry',
      verb: 'Retry',
      question: 'Retry the deliveries now?',
      button: 'Retry deliveries',
      heading: 'Everything that failed is sent again at once.',
      effects: (known) => [
        html`Due now, with the whole schedule of attempts again: ${backlogOf(known)}.`,
        html`Each event keeps its id, so that the receiver can recognize one that it has already handled.`,
      ],
      run: ({ endpoint: { id } }, call) => retryWebhook(id, call),
    },
    {
      name: 'enable',
      verb: 'Enable',
      heading: 'Deliveries begin again from the first event that was not delivered.',
      effects: (known) => [html`Due at once: ${backlogOf(known)}.`],
      milder: ({ endpoint: { id } }) =>
        html`Only want to know whether it answers? <a href="${webhookPath(id, 'test')}">Send a test</a> first.`,
      isDone: ({ endpoint }) => endpoint.state === 'enabled',
      run: ({ endpoint: { id } }, call) => enableWebhook(id, call),
    },
    {
      name: 'disable',
      verb: 'Disable',
      heading: 'Nothing is delivered until it is enabled again.',
      effects: () => [html`The receiver gets no events meanwhile. They are kept for it, and none is lost.`],
      isDone: ({ endpoint }) => endpoint.state === 'disabled',
      run: ({ endpoint: { id } }, call) => disableWebhook(id, 'requested', call),
    },
    {
      name: 'delete',
      verb: 'Delete',
      isFinal: true,
      heading: 'This cannot be undone.',
      effects: (known) => [
        html`${written(hostOf(known.endpoint))} gets no further events.`,
        html`The events that wait for it are never sent: ${backlogOf(known)}.`,
        html`Its secret is deleted too.`,
      ],
      milder: ({ endpoint: { id } }) =>
        html`Only want to stop it for now? <a href="${webhookPath(id, 'disable')}">Disable it</a> instead: events are
          kept.`,
      gone: 'webhook_not_found',
      run: ({ endpoint: { id } }, call) => deleteWebhook(id, call),
      goesTo: webhooksPath,
    },
  ]);
}

function backlogOf(known: WebhookBacklog): string {
  const { waiting, parked } = stateOf(known);
  return countOf(waiting + parked, 'event');
}

/** The values of an endpoint that the pages before a change show. Its backlog changes all the time, and is no part of them. */
export function seenOf({ endpoint: { state, reason, secrets, revision } }: WebhookBacklog): Seen {
  return {
    State: reason === null ? state : `${state} (${reason})`,
    Secrets: String(secrets.length),
    Revision: String(revision),
  };
}
