import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Call } from '../../../../../core/call.ts';
import type { HistoryOperation } from '../../../../../core/entitlement/history-entry.ts';
import type { Snapshot } from '../../../../../core/entitlement/snapshot.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { snapshotBefore, type TimelineEvent } from '../../../../../core/purchase/timeline.ts';
import { Refusal } from '../../../../../core/refusal.ts';
import { fullDayText } from '../../../markup/figures.ts';
import { html, type Html } from '../../../markup/html.ts';
import { dayText, periodText, relativeText } from '../../display/dates.ts';
import { mono } from '../../display/parts.ts';
import { actorElement, operatorNames, type OperatorNames } from '../../events/actors.ts';
import { seenVersion } from '../../form/seen.ts';
import { changedMeanwhile, type ChangedMeanwhile } from '../../frame/changed-meanwhile.ts';
import type { ConsoleAnswer, ConsoleRequest } from '../../frame/console-page.ts';
import { entitlementPath } from '../../state/names.ts';
import { stateBadge } from '../../state/state-badge.ts';
import { limitText, tierElement } from '../../state/terms.ts';
import { actions, possibleActions, type ActionName } from '../actions/actions.ts';
import { lookOf } from '../purchase/event-title.ts';

/**
 * Answers a form whose entitlement has another version than the one that it has shown: the state that was seen beside
 * the current one, and who has changed it. `repeated` answers a form that was sent before and has made its change, by
 * the operation in the history.
 */
export async function showChanged(
  action: ActionName,
  request: ConsoleRequest,
  administration: Pick<Administration, 'showPurchase' | 'listOperatorKeys'>,
  repeated: Readonly<Partial<Record<HistoryOperation, () => ConsoleAnswer>>> = {},
): Promise<ConsoleAnswer> {
  const { call, form, parameters } = request;
  const version = seenVersion(form);
  const purchase = await administration.showPurchase(parameters['id'] ?? '', call);
  const { entitlement, timeline } = purchase;
  if (entitlement.version === version) throw new Refusal('changed_meanwhile');
  const next = timeline.find((entry) => entry.version === version + 1 && entry.by !== 'clock');
  const operation = next?.by === call.by ? next.operation : null;
  const again = operation === null ? undefined : repeated[operation];
  if (again !== undefined) return again();
  const actors = timeline.map(({ by }) => by);
  return staleAnswer(action, version, purchase, await operatorNames(administration, actors, request), call);
}

function staleAnswer(
  action: ActionName,
  seen: number,
  purchase: Purchase,
  names: OperatorNames,
  call: Call,
): ConsoleAnswer {
  const { entitlement, timeline } = purchase;
  const { now } = call;
  const path = entitlementPath(entitlement.id);
  const last = timeline.find(({ version, by }) => version > seen && by !== 'clock');
  const button = action === 'extend' ? '' : actions[action].texts(purchase, now, null).button;
  const isPossible = possibleActions(purchase).includes(action);
  const again = html`<a class="button" href="${path}/${action}">${allTheSame(action, button)}</a>`;
  const says = html`You were about to ${lower(actions[action].title)} ${mono(entitlement.id)}. Nothing was
  changed.${last === undefined ? null : since(last, timeline, names, now)}`;
  const buttons = html`<a class="button primary" href="${path}">Look at it as it is now</a
    >${isPossible ? again : null}`;
  return changedMeanwhile({ says, rows: compared(purchase, seen, now), buttons }, call);
}

function since(entry: TimelineEvent, timeline: readonly TimelineEvent[], names: OperatorNames, now: Date): Html {
  const { title } = lookOf(entry, timeline, now);
  return html` Since you opened the page, ${actorElement(entry.by, names)} has changed it,
    ${relativeText(entry.at, now).replace(/^now$/, 'just now')}:
    <bdi>${title}</bdi>.`;
}

interface Row {
  readonly name: string;
  readonly valueOf: (snapshot: Snapshot) => Html;
  /** Whether it is shown if it is the same in both. */
  readonly isAlways: boolean;
}

function rows(now: Date): readonly Row[] {
  return [
    { name: 'Tier', valueOf: (snapshot) => tierElement(snapshot), isAlways: false },
    {
      name: 'Current period',
      valueOf: ({ currentPeriodStart: start, currentPeriodEnd, accessEndsAt }) => {
        const end = currentPeriodEnd ?? accessEndsAt;
        return html`${end === null ? 'Never ends' : periodText(start, end)}`;
      },
      isAlways: false,
    },
    {
      name: 'Updates until',
      valueOf: ({ updatesUntil }) => html`${updatesUntil === null ? 'Not set' : fullDayText(updatesUntil)}`,
      isAlways: false,
    },
    { name: 'Limit of devices', valueOf: ({ deviceLimit }) => html`${limitText(deviceLimit)}`, isAlways: false },
    { name: 'Scheduled end', valueOf: (snapshot) => html`${scheduledEnd(snapshot, now)}`, isAlways: false },
    { name: 'State', valueOf: ({ status }) => stateBadge(status), isAlways: true },
  ];
}

function scheduledEnd({ cancelAt, currentPeriodEnd, active }: Snapshot, now: Date): string {
  if (cancelAt !== null) return fullDayText(cancelAt);
  return currentPeriodEnd === null || !active ? 'None' : `None, renews on ${dayText(currentPeriodEnd, now)}`;
}

/** The state that was seen, beside the present one. */
function compared({ entitlement, timeline }: Purchase, version: number, now: Date): ChangedMeanwhile['rows'] {
  const seen = snapshotBefore(entitlement, version, timeline);
  const both =
    seen === null ? [] : rows(now).map((row) => ({ ...row, saw: row.valueOf(seen), is: row.valueOf(entitlement) }));
  return [
    ...both
      .filter(({ saw, is, isAlways }) => isAlways || saw.text !== is.text)
      .map(({ name, saw, is }) => ({
        name,
        is,
        saw: saw.text === is.text ? saw : html`<span class="was">${saw}</span>`,
      })),
    { name: 'Version', saw: String(version), is: String(entitlement.version) },
  ];
}

/** Pages name a change by a verb, or by a verb and a noun. */
function allTheSame(action: ActionName, button: string): string {
  return actions[action].title.includes(' ') ? `${button} all the same` : `${actions[action].title} it all the same`;
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
