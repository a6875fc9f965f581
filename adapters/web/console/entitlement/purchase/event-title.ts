import type { EntitlementEvent } from '../../../../../core/entitlement/event/entitlement-event.ts';
import type { ChangeReason, HistoryOperation } from '../../../../../core/entitlement/history-entry.ts';
import type { TimelineEvent } from '../../../../../core/purchase/timeline.ts';
import type { Icon } from '../../../markup/icons.ts';
import { dayText } from '../../display/dates.ts';
import { limitText, termsText } from '../../state/terms.ts';

/** The look of a change in the timeline. */
export interface EventLook {
  readonly title: string;
  readonly icon: Icon;
  readonly color: '' | 'ok' | 'warn' | 'bad';
}

type Look = Omit<EventLook, 'title'>;

const operations: Readonly<Record<HistoryOperation, readonly [title: string, look: Look]>> = {
  granted: ['Granted', { icon: 'add', color: 'ok' }],
  imported: ['Imported', { icon: 'add', color: 'ok' }],
  renewed: ['Renewed', { icon: 'renewed', color: 'ok' }],
  tier_changed: ['Tier changed', { icon: 'up', color: '' }],
  cancellation_scheduled: ['Cancellation scheduled', { icon: 'clock', color: '' }],
  cancellation_undone: ['Cancellation undone', { icon: 'renewed', color: '' }],
  past_due: ['Marked past due', { icon: 'clock', color: 'warn' }],
  suspended: ['Suspended', { icon: 'pause', color: 'warn' }],
  reinstated: ['Reinstated', { icon: 'done', color: 'ok' }],
  ended: ['Ended', { icon: 'cross', color: 'bad' }],
  revoked: ['Revoked', { icon: 'cross', color: 'bad' }],
  license_rotated: ['Key replaced', { icon: 'key', color: '' }],
  license_moved: ['License moved', { icon: 'key', color: '' }],
  license_revoked: ['License revoked', { icon: 'key', color: 'bad' }],
  allowance_changed: ['Allowance changed', { icon: 'up', color: '' }],
};

/** The operation of an event whose entry is no longer kept; null for one that only the clock makes. */
const operationsOfEvents: Readonly<Record<EntitlementEvent['type'], HistoryOperation | null>> = {
  'entitlement.granted': 'granted',
  'entitlement.renewed': 'renewed',
  'entitlement.tier_changed': 'tier_changed',
  'entitlement.cancellation_scheduled': 'cancellation_scheduled',
  'entitlement.cancellation_undone': 'cancellation_undone',
  'entitlement.past_due': 'past_due',
  'entitlement.suspended': 'suspended',
  'entitlement.reinstated': 'reinstated',
  'entitlement.ended': 'revoked',
  'entitlement.ending_soon': null,
  'license.rotated': 'license_rotated',
  'license.moved': 'license_moved',
  'license.revoked': 'license_revoked',
  'entitlement.allowance_changed': 'allowance_changed',
  'device.activated': null,
  'device.released': null,
};

/** The title of a change and its details, as far as its event is known. It is one of a timeline. */
export function lookOf(entry: TimelineEvent, timeline: readonly TimelineEvent[], now: Date): EventLook {
  const { event, by } = entry;
  if (by === 'clock' && event !== null) return lookOfClock(event);
  const known = operationOf(entry);
  if (known === null) return { title: 'Changed', icon: 'clock', color: '' };
  const [plain, look] = operations[known];
  const title = event === null ? plain : (detailOf(known, event, now) ?? plain);
  const why = reasonText(known, entry, timeline);
  return { ...look, title: why === null ? title : `${title}${known === 'granted' ? ', suspended' : ''}: ${why}` };
}

function operationOf({ operation, event }: TimelineEvent): HistoryOperation | null {
  return operation ?? (event === null ? null : operationsOfEvents[event.type]);
}

const reasons: Readonly<Record<ChangeReason, string>> = {
  refunded: 'the payment was refunded',
  disputed: 'the payment was disputed',
  dispute_lost: 'the dispute was lost',
  unpaid: 'the payment is missing',
  paused: 'the subscription is paused',
};

const liftedReasons: Readonly<Record<ChangeReason, string>> = {
  refunded: 'the refund failed',
  disputed: 'the dispute was won',
  dispute_lost: 'the dispute was won',
  unpaid: 'the payment has arrived',
  paused: 'the subscription goes on',
};

function reasonText(
  operation: HistoryOperation,
  entry: TimelineEvent,
  timeline: readonly TimelineEvent[],
): string | null {
  if (entry.reason !== null) return reasons[entry.reason];
  return operation === 'reinstated' && entry.by === 'stripe' ? liftedText(entry, timeline) : null;
}

/**
 * Why Stripe gives access again, by the reason of the suspension. Null where a new period may be the reason instead.
 */
function liftedText(entry: TimelineEvent, timeline: readonly TimelineEvent[]): string | null {
  const { event } = entry;
  const earlier = timeline.slice(timeline.indexOf(entry) + 1);
  const last = earlier.findIndex((each) => operationOf(each) === 'reinstated');
  const suspensions = last < 0 ? earlier : earlier.slice(0, last);
  const reason = suspensions.find((each) => each.reason !== null)?.reason ?? null;
  if (event === null || reason === null) return null;
  const { entitlement, previous } = event;
  const isInNewPeriod = previous.currentPeriodStart !== undefined || previous.currentPeriodEnd !== undefined;
  const isKnown = reason === 'paused' || (reason === 'unpaid' ? entitlement.status === 'active' : !isInNewPeriod);
  return isKnown ? liftedReasons[reason] : null;
}

function lookOfClock({ type, entitlement }: EntitlementEvent): EventLook {
  if (type === 'entitlement.ending_soon') return { title: 'Access ends soon', icon: 'clock', color: 'warn' };
  if (type === 'entitlement.past_due') return { title: 'Became past due', icon: 'clock', color: 'warn' };
  if (type === 'entitlement.suspended') return { title: 'Suspended', icon: 'pause', color: 'warn' };
  const title = entitlement.status === 'canceled' ? 'Canceled' : 'Expired';
  return { title, icon: 'cross', color: 'bad' };
}

/** Why the clock has changed an entitlement. */
export function clockReason({ type, entitlement }: EntitlementEvent): string {
  if (entitlement.kind === 'one_time') return 'it was bought for a time';
  if (type === 'entitlement.ending_soon')
    return entitlement.cancelAt === null ? 'it was not renewed yet' : 'a cancellation is scheduled';
  if (type === 'entitlement.past_due') return 'the period had ended';
  if (type === 'entitlement.suspended') return 'a payment is missing for too long';
  return entitlement.status === 'canceled' ? 'the scheduled end was reached' : 'it was not renewed in time';
}

function detailOf(operation: HistoryOperation, { entitlement, previous }: EntitlementEvent, now: Date): string | null {
  const { currentPeriodEnd, accessEndsAt, cancelAt } = entitlement;
  const end = currentPeriodEnd ?? accessEndsAt;
  if (operation === 'renewed' && end !== null) return `Renewed to ${dayText(end, now)}`;
  if (operation === 'cancellation_scheduled' && cancelAt !== null) {
    return `Cancellation scheduled for ${dayText(cancelAt, now)}`;
  }
  if (operation === 'allowance_changed' && previous.deviceLimit !== undefined) {
    return `Limit of devices changed from ${limitText(previous.deviceLimit)} to ${limitText(entitlement.deviceLimit)}`;
  }
  if (operation !== 'tier_changed') return null;
  const { tierName, tierId, billingInterval, billingIntervalCount } = previous;
  if (tierName !== undefined) return `Tier changed from ${tierName} to ${entitlement.tierName}`;
  if (tierId !== undefined) return `Tier changed from ${tierId} to ${entitlement.tierId}`;
  if (billingInterval === undefined && billingIntervalCount === undefined) {
    if (previous.accessEndsAt !== undefined) return 'End of access changed';
    return previous.updatesUntil !== undefined && previous.currentPeriodEnd === undefined
      ? 'Updates changed'
      : 'Period changed';
  }
  const before = { ...entitlement, ...previous };
  return `Billing changed from ${termsText(before)} to ${termsText(entitlement)}`;
}
