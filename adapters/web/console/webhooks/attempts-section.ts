import { isOfEntitlement } from '../../../../core/feed/logged-event.ts';
import type { EventAttempt } from '../../../../core/webhook/show-webhook-backlog.ts';
import { isAccepted, maxAttempts } from '../../../../core/webhook/stream/delivery-attempt.ts';
import { badge } from '../../markup/badge.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { preciseInstant } from '../display/dates.ts';
import { mono } from '../display/parts.ts';
import { webhookNames } from '../events/event-names.ts';
import { entitlementPath } from '../state/names.ts';

/** The last attempts of an endpoint. */
export function attemptsSection(attempts: readonly EventAttempt[]): Html {
  return html`<section class="section">
    <div class="line">
      <h2>Last attempts</h2>
      <span class="muted small">${maxAttempts} are kept</span>
    </div>
    ${attempts.length === 0 ? html`<p class="muted">Nothing was sent yet.</p>` : attemptTable(attempts)}
  </section>`;
}

function attemptTable(attempts: readonly EventAttempt[]): Html {
  return table(
    'Attempts, the newest first',
    [
      { heading: 'Answer', cell: ({ attempt }) => answerOf(attempt) },
      {
        heading: 'Event',
        cell: ({ attempt, event }) => (event === null ? mono(attempt.eventId) : webhookNames[event.type]),
      },
      {
        heading: 'Entitlement',
        cell: ({ event }) =>
          event === null || !isOfEntitlement(event)
            ? '–'
            : html`<a class="row mono" href="${entitlementPath(event.entitlement.id)}">${event.entitlement.id}</a>`,
      },
      { heading: 'Took', atEnd: true, isMuted: true, cell: ({ attempt }) => tookText(attempt.durationMs) },
      { heading: 'When', atEnd: true, isMuted: true, cell: ({ attempt }) => preciseInstant(attempt.at) },
    ],
    attempts,
  );
}

function answerOf(attempt: EventAttempt['attempt']): Html {
  const { status, reason } = attempt;
  if (status === null) return html`${badge('bad', 'No answer')}<span class="sub">${reason ?? ''}</span>`;
  return badge(isAccepted(attempt) ? 'ok' : 'bad', String(status));
}

/** "88 ms", "1.2 s", "15 s". */
function tookText(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1000;
  return `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`;
}
