import type { Overview } from '../../../../core/overview/show-overview.ts';
import { html, type Html } from '../../markup/html.ts';
import { icon } from '../../markup/icons.ts';
import { table } from '../../markup/table.ts';
import { instantText, relativeText, timeElement, weekdayName } from '../display/dates.ts';
import { headedPage } from '../display/headed-page.ts';
import { findInput, hidden, type PageContent, type PageView } from '../display/view.ts';
import { actorElement, type OperatorNames } from '../events/actors.ts';
import { eventText } from '../events/event-names.ts';
import { entitlementPath } from '../state/names.ts';
import { stripePath } from '../stripe/stripe-routes.ts';
import { barFigure } from './bars.ts';
import { todoList, type Todo } from './todo-list.ts';

/** The first page: what to find, what needs a person, and what has happened. */
export function overviewPage(
  overview: Overview,
  names: OperatorNames,
  others: readonly Todo[],
  isWritable: boolean,
  view: PageView,
): PageContent {
  const { now, may } = view;
  const { grants, cancellations, signUps } = overview;
  const today = timeElement(now, `${weekdayName(now)} ${instantText(now)}`);
  return headedPage(
    { title: 'Overview', beside: html`<p class="aside-note small">${today}</p>` },
    html`${findBox(view)}
      <section class="section">
        <div class="line">
          <h2>Needs a person</h2>
          ${view.isLimited ? null : html`<a href="${stripePath}">Sales that need a person</a>`}
        </div>
        ${todoList(overview, others, isWritable, now)}
      </section>
      <section class="section">
        <h2>Last 14 days</h2>
        <div class="figures">
          ${barFigure('Grants', 'Grants', grants, now)}
          ${barFigure('Cancellations scheduled', 'Cancellations', cancellations, now)}
          ${may('admin:waitlist') ? barFigure('Waitlist sign-ups', 'Sign-ups', signUps, now) : null}
        </div>
      </section>
      <section class="section">
        <div class="line">
          <h2>Latest changes</h2>
          <a href="/console/events">All events</a>
        </div>
        ${changeTable(overview, names, now)}
      </section>`,
  );
}

function findBox({ token, may, findsBuyers }: PageView): Html {
  const onWaitlist = may('admin:waitlist') ? ', or an e-mail address on the waitlist' : '';
  const address = findsBuyers ? ', or an e-mail address' : onWaitlist;
  return html`<section class="findbox" aria-label="Find a purchase">
    <form method="post" action="/console/find" role="search">
      ${hidden('token', token)}<label for="find">Find a purchase</label>
      <div class="with-icon">${icon('search')}${findInput('find', html` aria-describedby="find-hint"`)}</div>
      <button class="button primary">Find</button>
    </form>
    <p class="hint" id="find-hint">
      A license key or its last four, an entitlement, a trial, ${address === '' ? 'or ' : ''}your own reference such as
      <span class="mono">sub_1Q8…</span>${address}. What you type is never stored or logged.
    </p>
  </section>`;
}

function changeTable({ changes }: Overview, names: OperatorNames, now: Date): Html {
  if (changes.length === 0) {
    return html`<p class="muted">Nothing has happened yet. Grants, renewals, cancellations and ends stand here.</p>`;
  }
  return table(
    'The latest changes, the newest first',
    [
      { heading: 'Change', cell: ({ event }) => eventText(event) },
      {
        heading: 'Entitlement',
        cell: ({ event: { entitlement } }) =>
          html`<a class="row mono" href="${entitlementPath(entitlement.id)}">${entitlement.id}</a>`,
      },
      { heading: 'By', isMuted: true, cell: ({ event }) => actorElement(event.by, names) },
      {
        heading: 'When',
        atEnd: true,
        isMuted: true,
        cell: ({ event: { at } }) => timeElement(at, relativeText(at, now)),
      },
    ],
    changes,
  );
}
