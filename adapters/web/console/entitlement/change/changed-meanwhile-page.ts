import type { Call } from '../../../../../core/call.ts';
import type { Snapshot } from '../../../../../core/entitlement/snapshot.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { snapshotBefore, type Happening } from '../../../../../core/purchase/timeline.ts';
import { html, type Html } from '../../../markup/html.ts';
import { dayText, fullDayText, periodText, relativeText } from '../../display/dates.ts';
import { mono } from '../../display/parts.ts';
import type { PageContent } from '../../display/view.ts';
import { actionTitles, type ActionName } from '../purchase/action-names.ts';
import { lookOf } from '../purchase/happening-title.ts';
import { actorName } from '../purchase/timeline-section.ts';
import { entitlementPath } from '../state/names.ts';
import { stateBadge } from '../state/state-badge.ts';
import { tierElement } from '../state/terms.ts';
import { changeTexts } from './change-texts.ts';

/** A change that was not made, because the entitlement has another version than the one that was seen. */
export interface StaleChange {
  readonly action: ActionName;
  readonly seenVersion: number;
  readonly purchase: Purchase;
}

/** The page of a change that was not made: what was seen beside what is, and who has changed it. */
export function changedMeanwhilePage(
  { action, seenVersion, purchase }: StaleChange,
  { now, correlationId }: Pick<Call, 'now' | 'correlationId'>,
): PageContent {
  const { entitlement, timeline } = purchase;
  const path = entitlementPath(entitlement.id);
  const last = timeline.find(({ version, by }) => version > seenVersion && by !== 'clock');
  const { button } = changeTexts(action, purchase, now);
  const isPossible = (purchase.changes as readonly string[]).includes(action);
  const main = html`<div class="confirm">
    <span class="badge plain">409</span>
    <h1>It changed while you were looking</h1>
    <p>
      You were about to ${lower(actionTitles[action])} ${mono(entitlement.id)}. Nothing was
      changed.${last === undefined ? null : since(last, now)}
    </p>
    ${comparison(entitlement, snapshotBefore(entitlement, seenVersion, timeline), seenVersion, now)}
    <div class="buttons">
      <a class="button primary" href="${path}">Look at it as it is now</a
      >${isPossible || action === 'rotate-license' ? html`<a class="button" href="${path}/${action}">${allTheSame(action, button)}</a>` : null}
    </div>
    <p class="muted small">Error ${mono('changed_meanwhile')} · request ${mono(correlationId)}</p>
  </div>`;
  return { title: 'It changed while you were looking', main };
}

function since(happening: Happening, now: Date): Html {
  const { title } = lookOf(happening, now);
  return html` Since you opened the page, ${actorName(happening.by)} has changed it,
    ${relativeText(happening.at, now).replace(/^now$/, 'just now')}:
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
      valueOf: ({ currentPeriodStart: start, currentPeriodEnd: end }) =>
        html`${end === null ? 'Never ends' : periodText(start, end)}`,
      isAlways: false,
    },
    { name: 'Scheduled end', valueOf: (snapshot) => html`${scheduledEnd(snapshot, now)}`, isAlways: false },
    { name: 'State', valueOf: ({ status }) => stateBadge(status), isAlways: true },
  ];
}

function scheduledEnd({ cancelAt, currentPeriodEnd, active }: Snapshot, now: Date): string {
  if (cancelAt !== null) return fullDayText(cancelAt);
  return currentPeriodEnd === null || !active ? 'None' : `None, renews on ${dayText(currentPeriodEnd, now)}`;
}

/** What was seen beside what is. */
function comparison(entitlement: Snapshot, seen: Snapshot | null, seenVersion: number, now: Date): Html {
  const compared =
    seen === null ? [] : rows(now).map((row) => ({ ...row, saw: row.valueOf(seen), is: row.valueOf(entitlement) }));
  const shown = compared.filter(({ saw, is, isAlways }) => isAlways || saw.text !== is.text);
  return html`<table class="table" role="table">
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col"><span class="hidden">What</span></th>
        <th role="columnheader" scope="col">You saw</th>
        <th role="columnheader" scope="col">Now</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${shown.map(({ name, saw, is }) => comparisonRow(name, html`${saw.text === is.text ? saw : html`<span class="was">${saw}</span>`}`, is))}
      ${comparisonRow('Version', html`${seenVersion}`, html`${entitlement.version}`)}
    </tbody>
  </table>`;
}

function comparisonRow(name: string, saw: Html, is: Html): Html {
  return html`<tr role="row">
    <td role="cell" class="muted">${name}</td>
    <td role="cell" data-label="You saw">${saw}</td>
    <td role="cell" data-label="Now">${is}</td>
  </tr>`;
}

/** Pages name a change by a verb, or by a verb and a noun. */
function allTheSame(action: ActionName, button: string): string {
  return actionTitles[action].includes(' ') ? `${button} all the same` : `${actionTitles[action]} it all the same`;
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
