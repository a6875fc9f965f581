import type { EventAttempt, StreamBacklog, WebhookBacklog } from '../../../../core/webhook/show-webhook-backlog.ts';
import { signingKeys, type WebhookEndpoint } from '../../../../core/webhook/webhook-endpoint.ts';
import { badge } from '../../markup/badge.ts';
import { countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { dayOf, dueText, instant } from '../display/dates.ts';
import { actionList, crumbs, facts, hostOf, mono, note, written, type ActionLink } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { attemptsSection } from './attempts-section.ts';
import { stateOf, type EndpointState } from './endpoint-state.ts';
import { webhookPath, webhooksPath } from './webhook-list-page.ts';

/** Products that the backlog shows: those with a backlog first. */
const maxStreams = 50;

/** The texts of the page after a change. */
export const webhookDone = {
  retry: 'Everything that failed is due now.',
  enable: 'The endpoint was enabled.',
  disable: 'The endpoint was disabled.',
  skip: 'The events were skipped.',
  nothing: 'There was nothing to skip. Nothing was changed.',
};

/** One endpoint. */
export function webhookPage(
  view: PageView,
  shown: WebhookBacklog,
  attempts: readonly EventAttempt[],
  done: Html | null,
): PageContent {
  const { endpoint } = shown;
  const state = stateOf(shown);
  const host = hostOf(endpoint);
  const mayChange = view.may('admin:access');
  return {
    title: host,
    main: html`<div class="page">
      <div class="title">
        ${crumbs([{ href: webhooksPath, text: 'Webhooks' }], endpoint.id)}
        <div class="line">
          <h1>${written(host)}</h1>
          ${badge(state.tone, state.word)} ${mayChange ? buttons(endpoint) : null}
        </div>
        <p class="says">${state.says}</p>
      </div>
      ${done} ${failingNote(state, attempts, view.now)}
      <div class="split">
        <div>${backlogSection(shown.streams)} ${attemptsSection(attempts)}</div>
        <div class="aside">
          <section class="panel" aria-labelledby="endpoint">
            <h2 id="endpoint">Endpoint</h2>
            ${facts(endpointFacts(endpoint, view), 'tight')}
          </section>
          ${
            mayChange
              ? html`<section class="panel" aria-labelledby="change">
                  <h2 id="change">Change it</h2>
                  ${actionList(actionsOf(endpoint))}
                </section>`
              : null
          }
        </div>
      </div>
    </div>`,
  };
}

function buttons({ id, state }: WebhookEndpoint): Html {
  const next = state === 'enabled' ? ['retry', 'Retry now'] : ['enable', 'Enable'];
  return html`<div class="buttons">
    <a class="button" href="${webhookPath(id, 'test')}">Send test</a
    ><a class="button primary" href="${webhookPath(id, next[0])}">${next[1] ?? ''}</a>
  </div>`;
}

function failingNote({ failing }: EndpointState, attempts: readonly EventAttempt[], now: Date): Html | null {
  if (failing === null) return null;
  const { nextAt, disabledAt } = failing;
  const attempt = nextAt === null ? null : html`The next attempt is at ${instant(nextAt)}, ${dueText(nextAt, now)}. `;
  return note(
    'warn',
    lastAnswer(attempts),
    html`<p>${attempt}Without a success until ${instant(disabledAt)}, the endpoint is disabled.</p>`,
  );
}

function lastAnswer([last]: readonly EventAttempt[]): string {
  if (last === undefined) return 'Deliveries fail.';
  const { status } = last.attempt;
  return status === null ? 'The receiver does not answer.' : `The receiver answers ${status}.`;
}

function backlogSection(streams: readonly StreamBacklog[]): Html {
  const sorted = streams.toSorted((a, b) => b.waiting + b.parked - (a.waiting + a.parked));
  const rows = sorted.slice(0, maxStreams);
  const others = sorted.length - rows.length;
  return html`<section class="section">
    <h2>Backlog</h2>
    ${
      rows.length === 0
        ? html`<p class="muted">There is no product yet that it could get events of.</p>`
        : table(
            'Backlog, by product',
            [
              { heading: 'Product', cell: ({ stream }) => mono(stream.productId) },
              { heading: 'Waiting', atEnd: true, cell: ({ waiting }) => countText(waiting) },
              { heading: 'Parked', atEnd: true, cell: ({ parked }) => countText(parked) },
              {
                heading: 'Last success',
                atEnd: true,
                isMuted: true,
                cell: ({ stream }) => (stream.deliveredAt === null ? 'Never' : instant(stream.deliveredAt)),
              },
            ],
            rows,
          )
    }
    ${others === 0 ? null : html`<p class="muted small">${countText(others)} more products, with no larger backlog.</p>`}
  </section>`;
}

function endpointFacts(
  endpoint: WebhookEndpoint,
  { may, now }: PageView,
): readonly (readonly [string, Html | string])[] {
  const { id, url, productId, types, createdAt } = endpoint;
  return [
    ...(may('admin:access') ? [['URL', html`<span class="mono small">${url}</span>`] as const] : []),
    ['Product', productId === null ? 'All products' : mono(productId)],
    ['Events', types === null ? 'All types' : html`<span class="mono small">${types.join(', ')}</span>`],
    ['Secrets', `${signingKeys(endpoint, now).length} in use`],
    ['Added', dayOf(createdAt)],
    ['Id', mono(id)],
  ];
}

function actionsOf({ id, state }: WebhookEndpoint): readonly ActionLink[] {
  const rotate = {
    href: webhookPath(id, 'rotate-secret'),
    name: 'Rotate secret',
    effect: 'Both sign for as long as you choose',
  };
  const skip = { href: webhookPath(id, 'skip'), name: 'Skip events', effect: 'Leave out what was not delivered' };
  const remove = {
    href: webhookPath(id, 'delete'),
    name: 'Delete',
    effect: 'Forget it and its backlog',
    isDanger: true,
  };
  const disable = { href: webhookPath(id, 'disable'), name: 'Disable', effect: 'Keep events, deliver nothing' };
  return [rotate, skip, ...(state === 'enabled' ? [disable] : []), remove];
}
