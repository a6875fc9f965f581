import { grantOfTarget } from '../../../core/entitlement/aligned-grant.ts';
import type { AlignmentTarget, CancellationTarget } from '../../../core/entitlement/alignment.ts';
import { defaultGrace } from '../../../core/entitlement/entitlement-command.ts';
import { standings, type BillingInterval, type Standing } from '../../../core/entitlement/entitlement.ts';
import type { ChangeReason } from '../../../core/entitlement/history-entry.ts';
import { nearestInterval } from '../../../core/entitlement/nearest-interval.ts';
import { causesOf } from '../../../core/entitlement/suspension.ts';
import { hasEndedAtStripe, type ItemFacts, type SubscriptionState } from '../reading/subscription-state.ts';
import { markOf } from './cancellation-mark.ts';
import type { Decision } from './decision.ts';
import { isCanceledLate, type SentState } from './left-at-stripe.ts';
import { reasonOfPayments } from './reasons.ts';
import { isAfterResumption } from './resumption.ts';
import { limitOf, type Sold } from './sold-price.ts';

/** The state of a subscription here. */
export interface OwnState extends SentState {
  /** The item that decides. */
  readonly sold: Sold;
  /** The session that the buyer came from; asked for only if the entitlement is unknown. */
  readonly reference: string | null;
  /** Milliseconds of access from the start of the first period that is not paid, while Stripe tries again. */
  readonly unpaidAccess: number;
}

/** The statuses that give access: each is a standing. */
const withAccess: ReadonlyMap<string, Standing> = new Map(standings.map((standing) => [standing, standing]));

/**
 * The statuses that suspend, which are their reasons. So does every other one: of a status that Stripe adds, nobody knows
 * whether the buyer pays, and a suspension can be undone.
 */
const suspended: ReadonlyMap<string, ChangeReason> = new Map([
  ['unpaid', 'unpaid'],
  ['paused', 'paused'],
]);

/** Decides how an entitlement is brought in line with its subscription at Stripe. */
export function decideSubscription(state: SubscriptionState, ours: OwnState, now: Date): Decision {
  const { entitlement } = ours;
  const target = targetOf(state, ours);
  if (entitlement === null) {
    const { status } = state.subscription;
    if (status === 'incomplete') return { kind: 'nothing', reason: 'not_paid' };
    if (status === 'incomplete_expired') return { kind: 'nothing', reason: 'failed' };
    return target === null || isUnknown(status) ? noAccess : decideGrant(target, ours, now);
  }
  if (target === null) return { kind: 'agreed' };
  if (entitlement.kind === 'one_time') return { kind: 'refused', reason: 'other_kind' };
  if (target.endedAt !== null) return { kind: 'align', target };
  if (entitlement.hold.kind === 'revoked') {
    const isLeft = ours.pending === null && isCharged(target, state);
    return isLeft ? { kind: 'refused', reason: 'revoked_here' } : { kind: 'agreed' };
  }
  const { mapping } = ours.sold;
  if (mapping !== null && mapping.productId !== entitlement.productId) {
    return { kind: 'refused', reason: 'other_product' };
  }
  return { kind: 'align', target };
}

const noAccess: Decision = { kind: 'nothing', reason: 'no_access' };

/** One that is suspended is granted as well: its key is known from then on, and the next payment opens it. */
function decideGrant(target: AlignmentTarget, { sold: { mapping }, reference }: OwnState, now: Date): Decision {
  const { cancellation, endedAt } = target;
  if (endedAt !== null || (cancellation.kind === 'at' && cancellation.at <= now)) return noAccess;
  if (mapping === null) return { kind: 'nothing', reason: 'unmapped_price' };
  const grant = grantOfTarget(target, { productId: mapping.productId, reference, grace: defaultGrace }, now);
  return grant === null ? noAccess : { kind: 'grant', grant };
}

/** Reports whether an operator suspends access that the buyer is charged for at Stripe, and nothing on its way changes that. */
export function isChargedWhileSuspended(state: SubscriptionState, ours: OwnState): boolean {
  const { entitlement, pending } = ours;
  if (entitlement === null || pending !== null || !causesOf(entitlement.hold).includes('operator')) return false;
  const target = targetOf(state, ours);
  return target !== null && target.endedAt === null && isCharged(target, state);
}

/** Whether a buyer without access pays for it all the same, now or with the next period. A cancellation may be later. */
function isCharged(
  { cancellation, currentPeriodEnd }: AlignmentTarget,
  { subscription: { status, pause_collection: paused } }: SubscriptionState,
): boolean {
  const endsBefore = cancellation.kind === 'at' && cancellation.at <= currentPeriodEnd;
  return withAccess.has(status) && paused === null && !endsBefore;
}

/** Reports whether Stripe has a status that this release does not know. */
export function isUnknown(status: string): boolean {
  return !withAccess.has(status) && !suspended.has(status) && !hasEndedAtStripe({ status }) && status !== 'incomplete';
}

/** The target by Stripe's state; null for a subscription that never began. */
function targetOf(state: SubscriptionState, ours: OwnState): AlignmentTarget | null {
  const { subscription, items, payments } = state;
  const { status } = subscription;
  const item = items[ours.sold.index] ?? items[0];
  const hasEnded = hasEndedAtStripe(subscription);
  if (item === undefined || status === 'incomplete') return null;
  const { mapping } = ours.sold;
  const ofPayments = reasonOfPayments(payments);
  return {
    tier: mapping === null ? null : { tierId: mapping.tierId, tierName: mapping.tierName },
    deviceLimit: limitOf(
      ours.sold,
      items.map(({ quantity }) => quantity),
    ),
    interval: intervalOf(item),
    currentPeriodStart: instant(item.current_period_start),
    currentPeriodEnd: instant(item.current_period_end),
    standing: hasEnded ? 'active' : (withAccess.get(status) ?? 'past_due'),
    isSuspended: !(hasEnded || withAccess.has(status)) || ofPayments !== null,
    reason: ofPayments ?? suspended.get(status) ?? null,
    unpaidUntil: unpaidUntilOf(state, ours.unpaidAccess),
    cancellation: cancellationOf(subscription, instant(item.current_period_end), ours),
    endedAt: hasEnded ? instant(subscription.ended_at ?? subscription.canceled_at ?? subscription.created) : null,
  };
}

/**
 * Until when one that is past due for a period keeps access. While the shop does not collect, it asks for nothing: the buyer
 * keeps access.
 */
function unpaidUntilOf(
  { subscription: { status, pause_collection: paused }, unpaidSince }: SubscriptionState,
  unpaidAccess: number,
): Date | null {
  if (status !== 'past_due' || paused !== null || unpaidSince === null) return null;
  return new Date(instant(unpaidSince).getTime() + unpaidAccess);
}

/**
 * While a cancellation or a resumption of ours is on its way, the cancellation stays, and so it does where Stripe has carried
 * out one of ours after it was resumed. A later one by the buyer at Stripe wins over a resumption. What else is on its way has
 * nothing to do with it.
 */
function cancellationOf(
  subscription: SubscriptionState['subscription'],
  periodEnd: Date,
  ours: OwnState,
): CancellationTarget {
  const { pending } = ours;
  const { cancel_at: at, cancel_at_period_end: atPeriodEnd, canceled_at: canceledAt } = subscription;
  const requestedAt = canceledAt === null ? null : instant(canceledAt);
  const there = { canceledAt, mark: markOf(subscription) };
  const isCanceledLater = pending?.kind === 'resume' && isAfterResumption(there, pending);
  if (pending !== null && pending.kind !== 'hold' && !isCanceledLater) return { kind: 'keep' };
  if (isCanceledLate(subscription, ours)) return { kind: 'keep' };
  if (at !== null) return { kind: 'at', at: instant(at), requestedAt };
  return atPeriodEnd ? { kind: 'at', at: periodEnd, requestedAt } : { kind: 'none' };
}

function instant(seconds: number): Date {
  return new Date(seconds * 1000);
}

/** The interval of an item. Stripe allows up to three years in days or weeks. */
export function intervalOf({ price }: Pick<ItemFacts, 'price'>): ReturnType<typeof nearestInterval> {
  const { interval, interval_count: count } = price.recurring ?? { interval: 'month', interval_count: 1 };
  return nearestInterval(interval as BillingInterval, count);
}
