import { nextVersion, type Entitlement, type Subscription } from './entitlement.ts';
import { hasEnded, statusAt } from './status.ts';

export const cancellationOperations = ['cancel', 'resume'] as const;

export type CancellationOperation = (typeof cancellationOperations)[number];

export type CancellationDecision =
  | {
      readonly kind: 'changed';
      readonly next: Subscription;
      readonly operation: 'cancellation_scheduled' | 'cancellation_undone';
    }
  /** The public facts stay. The revision moves, so that of two equal requests only one can be recorded. */
  | { readonly kind: 'unchanged'; readonly next: Subscription }
  | { readonly kind: 'refused'; readonly code: 'not_a_subscription' | 'entitlement_ended' };

/** Decides what `cancel` or `resume` does to an entitlement at one instant. */
export function decideCancellation(
  operation: CancellationOperation,
  entitlement: Entitlement,
  now: Date,
): CancellationDecision {
  if (entitlement.kind === 'one_time') return { kind: 'refused', code: 'not_a_subscription' };
  if (hasEnded(statusAt(entitlement, now))) return { kind: 'refused', code: 'entitlement_ended' };
  if ((entitlement.cancellation !== null) === (operation === 'cancel')) {
    return { kind: 'unchanged', next: { ...entitlement, revision: entitlement.revision + 1 } };
  }
  if (operation === 'resume') {
    const next = nextVersion(entitlement, now, { cancellation: null });
    return { kind: 'changed', next, operation: 'cancellation_undone' };
  }
  const cancellation = { at: scheduledEnd(entitlement, now), requestedAt: now };
  return {
    kind: 'changed',
    next: nextVersion(entitlement, now, { cancellation }),
    operation: 'cancellation_scheduled',
  };
}

/** When a cancellation takes effect: at the end of the period or, once that has passed, of the grace. */
export function scheduledEnd(
  { currentPeriodEnd, graceUntil }: Pick<Subscription, 'currentPeriodEnd' | 'graceUntil'>,
  now: Date,
): Date {
  return currentPeriodEnd > now ? currentPeriodEnd : graceUntil;
}
