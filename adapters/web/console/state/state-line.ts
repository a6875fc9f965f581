import type { FullSnapshot } from '../../../../core/entitlement/administration/show-entitlement.ts';
import type { ChangeReason } from '../../../../core/entitlement/history-entry.ts';
import type { Why } from '../../../../core/entitlement/why/why.ts';
import type { Purchase } from '../../../../core/purchase/show-purchase.ts';
import type { TimelineEvent } from '../../../../core/purchase/timeline.ts';
import { html, type Html } from '../../markup/html.ts';
import { dayText, relativeText, timeElement, timeText, weekdayText } from '../display/dates.ts';
import { stateNames } from './state-badge.ts';

/** The parts of a purchase that the line needs. */
export type Stated = Pick<Purchase, 'entitlement' | 'why' | 'isSoldByStripe' | 'timeline'>;

/** Says in one line what state an entitlement is in, why, and what comes next. Its beginning is strong. */
export function stateLine(purchase: Stated, now: Date): Html {
  const { entitlement, why } = purchase;
  const { status } = entitlement;
  const endedAt = entitlement.endedAt ?? now;
  switch (status) {
    case 'trialing':
    case 'active':
      return currentLine(entitlement, now);
    case 'past_due':
      return pastDueLine(purchase, now);
    case 'suspended':
      return suspendedLine(why, now);
    case 'revoked':
      return line(revokedWhy(why), html`, ${momentElement(endedAt, now)}. The buyer has no access, for good.`);
    case 'canceled':
      return line(
        html`Canceled: ended on ${dayTime(endedAt, now)}`,
        html`, ${relativeText(endedAt, now)}. ${noAccess}`,
      );
    case 'expired':
      return line(
        html`Expired on ${dayTime(endedAt, now)}`,
        html`, ${relativeText(endedAt, now)}: it was not renewed. ${noAccess}`,
      );
  }
}

const noAccess = html`The buyer has no access.`;

/** A line whose beginning is strong. */
function line(beginning: Html | string, rest: Html): Html {
  return html`<strong>${beginning}</strong>${rest}`;
}

function currentLine(entitlement: FullSnapshot, now: Date): Html {
  const { status, cancelAt, currentPeriodEnd } = entitlement;
  const name = stateNames[status];
  if (currentPeriodEnd === null) return line(name, html`. ${boughtOnce(entitlement, now)}`);
  if (cancelAt !== null) return line(name, html`. ${scheduledEnd(cancelAt, now)}.`);
  const end = dayElement(currentPeriodEnd, now);
  return line(name, status === 'trialing' ? html`. Ends on ${end}, and renews then.` : html`. Renews on ${end}.`);
}

function pastDueLine({ entitlement, isSoldByStripe, timeline }: Stated, now: Date): Html {
  const { cancelAt, currentPeriodEnd, graceUntil } = entitlement;
  if (currentPeriodEnd === null || graceUntil === null) {
    return line('Past due', html`. ${boughtOnce(entitlement, now)}`);
  }
  const since = pastDueSince(currentPeriodEnd, timeline, now);
  const unless = isSoldByStripe ? 'a payment arrives' : 'it is renewed';
  const end =
    cancelAt === null
      ? html`Access ends on ${endElement(graceUntil, now)}, unless ${unless}`
      : scheduledEnd(cancelAt, now);
  if (since === null) return line('Past due', html`. ${end}.`);
  return line(html`Past due since ${momentTime(since, now)}`, html`, ${relativeText(since, now)}. ${end}.`);
}

interface ReasonWords {
  /** Why it is suspended or revoked. */
  readonly because: string;
  /** The event that gives access again. */
  readonly until: string;
  /** The same beside the suspension of an operator. */
  readonly too: string;
}

const newPayment = 'A new payment at Stripe reinstates it.';

const reasons: Readonly<Record<ChangeReason, ReasonWords>> = {
  refunded: {
    because: 'the last payment was refunded in full',
    until: `. ${newPayment}`,
    too: 'The last payment was refunded in full',
  },
  disputed: {
    because: 'the last payment is disputed',
    until: '. A won dispute reinstates it.',
    too: 'The last payment is disputed',
  },
  dispute_lost: {
    because: 'the last payment was lost in a dispute',
    until: `. ${newPayment}`,
    too: 'The last payment was lost in a dispute',
  },
  unpaid: { because: 'a payment is missing', until: '. A payment reinstates it.', too: 'A payment is missing' },
  paused: {
    because: 'the subscription is paused at Stripe',
    until: ' until it goes on there.',
    too: 'The subscription is paused at Stripe',
  },
};

function suspendedLine({ by, reason, at }: Why, now: Date): Html {
  const moment = at === null ? null : html`, ${momentElement(at, now)}`;
  if (by === 'operator') {
    const too = reason === null ? null : html` ${reasons[reason].too}, too.`;
    return line('Suspended by an operator', html`${moment}. The buyer has no access until it is reinstated.${too}`);
  }
  if (reason !== null) {
    const { because, until } = reasons[reason];
    return line(`Suspended because ${because}`, html`${moment}. The buyer has no access${until}`);
  }
  if (at === null) return line('Suspended', html`. ${noAccess}`);
  return line(html`Suspended since ${momentTime(at, now)}`, html`, ${relativeText(at, now)}. ${noAccess}`);
}

/** Stripe revokes a purchase for a full refund and a lost dispute alone. */
function revokedWhy({ by, reason }: Why): string {
  if (reason === 'refunded') return 'Revoked because the payment was refunded in full';
  if (reason === 'dispute_lost') return 'Revoked because the payment was lost in a dispute';
  return by === 'operator' ? 'Revoked by an operator' : 'Revoked';
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

function scheduledEnd(cancelAt: Date, now: Date): Html {
  return html`A cancellation is scheduled: access ends on ${endElement(cancelAt, now)}`;
}

/** "18 December, in 24 days". */
export function dayElement(at: Date, now: Date): Html {
  return html`${dayTime(at, now)}, ${relativeText(at, now)}`;
}

function dayTime(at: Date, now: Date): Html {
  return timeElement(at, dayText(at, now));
}

/** "18 November, 09:30 UTC, 6 days ago". */
export function momentElement(at: Date, now: Date): Html {
  return html`${momentTime(at, now)}, ${relativeText(at, now)}`;
}

function momentTime(at: Date, now: Date): Html {
  return timeElement(at, `${dayText(at, now)}, ${timeText(at)} UTC`);
}

/** "Friday 18 December, 09:30 UTC, in 24 days". */
function endElement(at: Date, now: Date): Html {
  return html`${timeElement(at, weekdayText(at, now))}, ${relativeText(at, now)}`;
}
