import type { Overview } from '../../../../core/overview/show-overview.ts';
import type { TroubledEndpoint } from '../../../../core/overview/troubled-endpoints.ts';
import { day } from '../../../../core/parsing/duration.ts';
import { countOf, countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { icon, type Icon } from '../../markup/icons.ts';
import { dueText, instant, relativeText } from '../display/dates.ts';
import { hostOf } from '../display/parts.ts';
import { webhookPath } from '../webhooks/webhook-list-page.ts';

/** Something that waits for a person. */
export interface Todo {
  readonly icon: Icon;
  readonly tone: 'warn' | 'bad';
  readonly says: Html;
  readonly more: Html;
  readonly link: { readonly href: string; readonly text: string; readonly isAway?: boolean } | null;
}

/** An older backup is reported: most are made once a day. */
const maxBackupAge = 2 * day;

/** Lists what waits for a person, the most urgent first, or says that nothing does. */
export function todoList(overview: Overview, others: readonly Todo[], isWritable: boolean, now: Date): Html {
  const { endpoints, backup, pastDue } = overview;
  const todos: readonly Todo[] = [
    ...(isWritable ? [] : [unwritable]),
    ...others,
    ...endpoints.map((endpoint) => ofEndpoint(endpoint, now)),
    ...ofBackup(backup, now),
    ...ofPastDue(pastDue, now),
  ];
  if (todos.length === 0) return html`<p class="muted">Nothing needs you.</p>`;
  return html`<ul class="todo">
    ${todos.map(
      (todo) =>
        html`<li>
          ${icon(todo.icon, todo.tone)}
          <div>
            <p>${todo.says}</p>
            <p class="sub">${todo.more}</p>
          </div>
          ${todo.link === null ? null : linkOf(todo.link)}
        </li>`,
    )}
  </ul>`;
}

function linkOf({ href, text, isAway = false }: NonNullable<Todo['link']>): Html {
  return html`<a class="button" href="${href}" ${isAway ? html` rel="noopener noreferrer"` : null}>${text}</a>`;
}

const unwritable: Todo = {
  icon: 'alert',
  tone: 'bad',
  says: html`The store cannot be written to`,
  more: html`Its disk is full or read-only, or it does not answer. Nothing can be changed until it takes writes again.`,
  link: null,
};

function ofEndpoint({ endpoint, failing, ...state }: TroubledEndpoint, now: Date): Todo {
  const host = html`<bdi>${hostOf(endpoint)}</bdi>`;
  const link = { href: webhookPath(endpoint.id), text: 'Look at it' };
  const waiting = `${countOf(state.waiting, 'event')} ${state.waiting === 1 ? 'waits' : 'wait'}.`;
  const bad = { icon: 'alert', tone: 'bad', link } as const;
  if (endpoint.reason !== null) {
    const why =
      endpoint.reason === 'gone'
        ? 'It answered 410, which asks for no further events.'
        : 'It had failed for five days.';
    return { ...bad, says: html`${host} is disabled`, more: html`${why} ${waiting}` };
  }
  if (failing !== null) {
    const { since, nextAt, disabledAt } = failing;
    return {
      ...bad,
      says: html`${host} has failed since ${instant(since)}`,
      more: html`${waiting} ${nextAt === null ? null : html`The next attempt is ${dueText(nextAt, now)}. `}It will be
      disabled on ${instant(disabledAt)}.`,
    };
  }
  const events = countOf(state.parked, 'event');
  return {
    icon: 'warning',
    tone: 'warn',
    link,
    says: html`${events} to ${host} ${state.parked === 1 ? 'waits' : 'wait'} for a manual retry`,
    more: html`All attempts have failed. Other events are still delivered.`,
  };
}

function ofBackup(backup: Overview['backup'], now: Date): readonly Todo[] {
  const warning = { icon: 'warning', tone: 'warn', link: null } as const;
  const how = html`Make one with <span class="mono">latchkey store backup</span>.`;
  if (backup.kind === 'none') return [{ ...warning, says: html`There is no backup yet`, more: how }];
  if (backup.kind === 'unknown' || now.getTime() - backup.at.getTime() <= maxBackupAge) return [];
  return [
    {
      ...warning,
      says: html`The last backup was made ${relativeText(backup.at, now)}`,
      more: html`${instant(backup.at)}. ${how}`,
    },
  ];
}

function ofPastDue({ count, isMinimum, firstEnd }: Overview['pastDue'], now: Date): readonly Todo[] {
  if (count === 0) return [];
  const number = isMinimum
    ? `${countText(count, true)} entitlements are`
    : `${countOf(count, 'entitlement')} ${count === 1 ? 'is' : 'are'}`;
  return [
    {
      icon: 'clock',
      tone: 'warn',
      says: html`${number} past due`,
      more: firstEnd === null ? html`` : html`The first of them loses access ${dueText(firstEnd, now)}.`,
      link: { href: '/console/entitlements?status=past_due', text: 'See them' },
    },
  ];
}
