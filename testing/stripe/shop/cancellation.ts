import type { Subscription } from '../objects/stored.ts';
import type { Ledger } from './ledger.ts';
import { expireSession, itemsOf, openSessionOf } from './subscriptions.ts';

const updated = 'customer.subscription.updated';

/** The request of a cancellation: by the flag, by an instant in seconds, or the undoing of one of them. */
export type Cancellation = { readonly flag: true } | { readonly at: number } | { readonly undone: 'flag' | 'instant' };

/** Changes when a subscription will be canceled, as an update does. */
export function changeCancellation(ledger: Ledger, subscription: Subscription, change: Cancellation): void {
  if ('undone' in change) return undo(ledger, subscription, change.undone);
  const flag = 'flag' in change;
  ledger.change(updated, subscription, {
    cancel_at: 'at' in change ? change.at : lastEnd(ledger, subscription),
    cancel_at_period_end: flag,
    canceled_at: ledger.now(),
    cancellation_details: { ...subscription.cancellation_details, reason: 'cancellation_requested' },
  });
}

/** Undoes only a cancellation that was made in the same way: the flag by the flag, an instant by an empty instant. */
function undo(ledger: Ledger, subscription: Subscription, kind: 'flag' | 'instant'): void {
  if (subscription.cancel_at === null || subscription.cancel_at_period_end !== (kind === 'flag')) return;
  ledger.change(updated, subscription, {
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { ...subscription.cancellation_details, reason: null },
  });
}

/** The end of the period in which a cancellation by the flag takes effect. */
export function lastEnd(ledger: Ledger, subscription: Subscription): number {
  return Math.max(...itemsOf(ledger, subscription).map((item) => item.current_period_end));
}

/** Ends a subscription at an instant, in seconds. */
export function end(ledger: Ledger, subscription: Subscription, at: number): void {
  if (hasEnded(subscription)) return;
  Object.assign(subscription, {
    status: 'canceled',
    ended_at: at,
    canceled_at: subscription.canceled_at ?? at,
  });
  ledger.note('customer.subscription.deleted', subscription);
}

/** Stops waiting for the payment of a subscription, as the retry rules of the shop say. */
export function stopRetries(
  ledger: Ledger,
  subscription: Subscription,
  outcome: 'unpaid' | 'canceled' | 'incomplete_expired',
): void {
  const now = ledger.now();
  if (outcome === 'canceled') {
    subscription.cancellation_details = { ...subscription.cancellation_details, reason: 'payment_failed' };
    return end(ledger, subscription, now);
  }
  const ended = outcome === 'incomplete_expired' ? { ended_at: now } : {};
  ledger.change(updated, subscription, { status: outcome, ...ended });
  if (outcome === 'incomplete_expired') expireSession(ledger, openSessionOf(ledger, subscription));
}

export function hasEnded({ status }: Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}
