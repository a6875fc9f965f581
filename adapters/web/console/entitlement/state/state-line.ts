import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { TimelineEvent } from '../../../../../core/purchase/timeline.ts';
import { html, type Html } from '../../../markup/html.ts';
import { dayText, relativeText, timeElement, timeText, weekdayText } from '../../display/dates.ts';
import { stateNames } from './state-badge.ts';

/** Says in one line what state an entitlement is in and what comes next. */
export function stateLine(entitlement: FullSnapshot, timeline: readonly TimelineEvent[], now: Date): Html {
  const { status, endedAt } = entitlement;
  switch (status) {
    case 'trialing':
    case 'active':
      return currentLine(entitlement, now);
    case 'past_due':
      return pastDueLine(entitlement, timeline, now);
    case 'suspended': {
      const at = lastSuspension(timeline);
      return html`Suspended${at === null ? null : html` since ${momentElement(at, now)}`}. ${noAccess}`;
    }
    case 'canceled':
    case 'expired':
    case 'revoked':
      return html`${stateNames[status]}${endedAt === null ? null : html` on ${dayElement(endedAt, now)}`}. ${noAccess}`;
  }
}

const noAccess = html`The buyer has no access.`;

function currentLine(entitlement: FullSnapshot, now: Date): Html {
  const { status, cancelAt, currentPeriodEnd } = entitlement;
  const name = stateNames[status];
  if (currentPeriodEnd === null) return html`${name}. ${boughtOnce(entitlement, now)}`;
  if (cancelAt !== null) return html`${name}. ${scheduledEnd(cancelAt, now)}.`;
  return html`${name}. Renews on ${dayElement(currentPeriodEnd, now)}.`;
}

function pastDueLine(entitlement: FullSnapshot, timeline: readonly TimelineEvent[], now: Date): Html {
  const { cancelAt, currentPeriodEnd, graceUntil } = entitlement;
  if (currentPeriodEnd === null || graceUntil === null) return html`Past due. ${boughtOnce(entitlement, now)}`;
  const since = pastDueSince(currentPeriodEnd, timeline, now);
  const state = html`Past due${since === null ? null : html` since ${momentElement(since, now)}`}.`;
  if (cancelAt !== null) return html`${state} ${scheduledEnd(cancelAt, now)}.`;
  return html`${state} Access ends on ${endElement(graceUntil, now)}, unless it is renewed.`;
}

function boughtOnce({ accessEndsAt }: FullSnapshot, now: Date): Html {
  return accessEndsAt === null
    ? html`Bought once, never ends.`
    : html`Bought once. Access ends on ${endElement(accessEndsAt, now)}.`;
}

/** By the clock since the end of the period, unless it was marked before. */
function pastDueSince(periodEnd: Date, timeline: readonly TimelineEvent[], now: Date): Date | null {
  const last = timeline.find(({ operation }) => operation === 'past_due' || operation === 'renewed');
  const marked = last?.operation === 'past_due' ? last.at : null;
  if (periodEnd > now) return marked;
  return marked !== null && marked < periodEnd ? marked : periodEnd;
}

/** Also one by the clock, which has no operation. */
function lastSuspension(timeline: readonly TimelineEvent[]): Date | null {
  const last = timeline.find(
    ({ operation, event }) => operation === 'suspended' || event?.type === 'entitlement.suspended',
  );
  return last?.at ?? null;
}

function scheduledEnd(cancelAt: Date, now: Date): Html {
  return html`A cancellation is scheduled: access ends on ${endElement(cancelAt, now)}`;
}

/** "18 December, in 24 days". */
function dayElement(at: Date, now: Date): Html {
  return html`${timeElement(at, dayText(at, now))}, ${relativeText(at, now)}`;
}

/** "18 November, 09:30 UTC, 6 days ago". */
function momentElement(at: Date, now: Date): Html {
  return html`${timeElement(at, `${dayText(at, now)}, ${timeText(at)} UTC`)}, ${relativeText(at, now)}`;
}

/** "Friday 18 December, 09:30 UTC, in 24 days". */
function endElement(at: Date, now: Date): Html {
  return html`${timeElement(at, weekdayText(at, now))}, ${relativeText(at, now)}`;
}
