import type { Administration } from '../../../../core/administration/administration.ts';
import type { Call } from '../../../../core/call.ts';
import type { WebhookBacklog } from '../../../../core/webhook/show-webhook-backlog.ts';
import type { WebhookEndpoint } from '../../../../core/webhook/webhook-endpoint.ts';
import { countOf } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { badge } from '../display/badge.ts';
import { confirmationPage } from '../display/confirmation.ts';
import { hostOf } from '../display/endpoint-host.ts';
import { mono, written } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { seenField, type Seen } from '../form/seen.ts';
import { goTo, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes, noFields } from '../frame/form-routes.ts';
import { stateOf, type EndpointState } from './endpoint-state.ts';
import { pathTo } from './webhook-forms.ts';
import { webhookPath, webhooksPath } from './webhook-list-page.ts';

/** A change of an endpoint that needs nothing but a decision. */
interface Change {
  /** The last part of its path, and the name of what was done. */
  readonly name: 'retry' | 'enable' | 'disable' | 'delete';
  /** "Disable" */
  readonly verb: string;
  readonly isFinal: boolean;
  readonly heading: string;
  readonly effects: (shown: WebhookBacklog, state: EndpointState) => readonly Html[];
  readonly milder: (id: string) => Html | null;
  readonly button: string;
  /** Whether there is nothing left to do. */
  readonly isDone: (endpoint: WebhookEndpoint) => boolean;
  readonly run: (id: string, call: Call) => Promise<unknown>;
  readonly goesTo: (id: string) => string;
}

/** The changes of an endpoint that a button makes: *Retry now*, *Enable*, *Disable* and *Delete*. */
export function webhookStateRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  return changesOf(administration).flatMap((change) => routesOf(administration, change));
}

function changesOf(administration: Administration): readonly Change[] {
  const { deleteWebhook, disableWebhook, enableWebhook, retryWebhook } = administration;
  const common = { isFinal: false, milder: () => null, goesTo: (id: string) => webhookPath(id) };
  return [
    {
      ...common,
      name: 'retry',
      verb: 'Retry',
      heading: 'Everything that failed is sent again at once.',
      effects: (_shown, { waiting, parked }) => [
        html`Due now, with the whole schedule of attempts again: ${countOf(waiting + parked, 'event')}.`,
        html`Each event keeps its id, so that the receiver can recognize one that it has already handled.`,
      ],
      button: 'Retry deliveries',
      isDone: () => false,
      run: (id, call) => retryWebhook(id, call),
    },
    {
      ...common,
      name: 'enable',
      verb: 'Enable',
      heading: 'Deliveries begin again from the first event that was not delivered.',
      effects: (_shown, { waiting, parked }) => [html`Due at once: ${countOf(waiting + parked, 'event')}.`],
      milder: (id) =>
        html`Only want to know whether it answers? <a href="${webhookPath(id, 'test')}">Send a test</a> first.`,
      button: 'Enable endpoint',
      isDone: ({ state }) => state === 'enabled',
      run: (id, call) => enableWebhook(id, call),
    },
    {
      ...common,
      name: 'disable',
      verb: 'Disable',
      heading: 'Nothing is delivered until it is enabled again.',
      effects: () => [html`The receiver gets no events meanwhile. They are kept for it, and none is lost.`],
      button: 'Disable endpoint',
      isDone: ({ state }) => state === 'disabled',
      run: (id, call) => disableWebhook(id, 'requested', call),
    },
    {
      ...common,
      name: 'delete',
      verb: 'Delete',
      isFinal: true,
      heading: 'This cannot be undone.',
      effects: ({ endpoint }, { waiting, parked }) => [
        html`${written(hostOf(endpoint))} gets no further events.`,
        html`The events that wait for it are never sent: ${countOf(waiting + parked, 'event')}.`,
        html`Its secret is deleted too.`,
      ],
      milder: (id) =>
        html`Only want to stop it for now? <a href="${webhookPath(id, 'disable')}">Disable it</a> instead: events are
          kept.`,
      button: 'Delete endpoint',
      isDone: () => false,
      run: (id, call) => deleteWebhook(id, call),
      goesTo: () => webhooksPath,
    },
  ];
}

function routesOf({ showWebhookBacklog }: Administration, change: Change): readonly ConsoleRoute[] {
  const { name, verb, isDone, run, goesTo } = change;
  return formRoutes({
    ...noFields,
    name: `${verb}Webhook`,
    path: webhookPath(':id', name),
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => showWebhookBacklog(id, call),
    gone: name === 'delete' ? { code: 'webhook_not_found', answer: goTo(webhooksPath, name) } : undefined,
    page: ({ view }, known) => askPage(view, change, known),
    seen: (known) => {
      const { id } = known.endpoint;
      return { now: seenOf(known), intent: html`${verb.toLowerCase()} ${mono(id)}.`, back: webhookPath(id) };
    },
    isDone: (_values, { endpoint }) => isDone(endpoint),
    act: async (_values, { endpoint: { id } }, { call }) => {
      await run(id, call);
      return goTo(goesTo(id), name);
    },
  });
}

function askPage(view: PageView, change: Change, known: WebhookBacklog): PageContent {
  const { name, verb, isFinal, heading, effects, milder, button } = change;
  const { endpoint } = known;
  const { id } = endpoint;
  const state = stateOf(known);
  return confirmationPage(view, {
    path: pathTo(id),
    here: verb,
    question: name === 'retry' ? 'Retry the deliveries now?' : `${verb} this endpoint?`,
    effects: { heading, isFinal, list: effects(known, state) },
    facts: [
      ['Endpoint', mono(id)],
      ['Host', mono(hostOf(endpoint))],
      ['State', badge(state.tone, state.word)],
    ],
    milder: milder(id),
    action: webhookPath(id, name),
    fields: seenField(seenOf(known)),
    button,
    back: { href: webhookPath(id), text: 'Keep it' },
  });
}

/** What the pages before a change show of an endpoint. Its backlog changes all the time, and is no part of that. */
export function seenOf({ endpoint: { state, reason, secrets, revision } }: WebhookBacklog): Seen {
  return {
    State: reason === null ? state : `${state} (${reason})`,
    Secrets: String(secrets.length),
    Revision: String(revision),
  };
}
