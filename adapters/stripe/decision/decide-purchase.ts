import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { PurchaseState } from '../reading/session-state.ts';
import type { Decision } from './decision.ts';
import { reasonOfPayment } from './reasons.ts';
import { limitOf, type Sold } from './sold-price.ts';

/** Decides how to align an entitlement with its purchase at Stripe. Only the payment changes it after the grant. */
export function decidePurchase(state: PurchaseState, entitlement: Entitlement | null, sold: Sold): Decision {
  const { mapping } = sold;
  const outcome = state.payment?.outcome ?? 'kept';
  const reason = reasonOfPayment(outcome);
  const isTakenBack = outcome === 'refunded' || outcome === 'lost';
  if (entitlement === null) {
    if (!state.isPaid) return { kind: 'nothing', reason: state.hasFailed ? 'failed' : 'not_paid' };
    if (isTakenBack) return { kind: 'nothing', reason: 'no_access' };
    if (mapping === null) return { kind: 'nothing', reason: 'unmapped_price' };
    const { productId, tierId, tierName } = mapping;
    const { id: reference, created } = state.session;
    const currentPeriodStart = new Date(created * 1000);
    const deviceLimit = limitOf(sold, state.quantities);
    const facts = {
      productId,
      tierId,
      tierName,
      deviceLimit,
      standing: 'active',
      reference,
      currentPeriodStart,
      ...(mapping.updates !== null && { updatesUntil: new Date(currentPeriodStart.getTime() + mapping.updates) }),
    } as const;
    return { kind: 'grant', grant: { kind: 'one_time', ...facts, isSuspended: outcome === 'disputed', reason } };
  }
  if (entitlement.kind === 'subscription') return { kind: 'refused', reason: 'other_kind' };
  if (!state.isPaid) return { kind: 'agreed' };
  if (entitlement.hold.kind === 'revoked') {
    if (isTakenBack) return { kind: 'agreed' };
    return { kind: 'refused', reason: state.payment?.hasFailedRefund === true ? 'refund_failed' : 'revoked_here' };
  }
  if (reason === null) return { kind: 'command', command: { kind: 'reinstate', cause: 'payment' } };
  if (isTakenBack) return { kind: 'command', command: { kind: 'revoke', reason } };
  return { kind: 'command', command: { kind: 'suspend', cause: 'payment', reason } };
}
