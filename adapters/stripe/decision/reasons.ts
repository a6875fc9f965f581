import type { ChangeReason } from '../../../core/entitlement/history-entry.ts';
import type { PaymentOutcome } from '../reading/payment-state.ts';

/** Why a payment takes access. Null for one that the seller keeps. */
export function reasonOfPayment(outcome: PaymentOutcome): ChangeReason | null {
  switch (outcome) {
    case 'kept':
      return null;
    case 'refunded':
    case 'disputed':
      return outcome;
    case 'lost':
      return 'dispute_lost';
  }
}

/**
 * Why the payments of the invoice that access rests on take it: any that was lost, all that were refunded, or any that is disputed.
 * Null if they do not.
 */
export function reasonOfPayments(outcomes: readonly PaymentOutcome[]): ChangeReason | null {
  if (outcomes.includes('lost')) return 'dispute_lost';
  if (outcomes.length > 0 && outcomes.every((outcome) => outcome === 'refunded')) return 'refunded';
  return outcomes.includes('disputed') ? 'disputed' : null;
}
