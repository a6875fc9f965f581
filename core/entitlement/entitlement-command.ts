import { day } from '../parsing/duration.ts';
import type { OwnLimit } from '../tier/allowance.ts';
import { areSameFeatures, changedFeatures, isSmall, maxOwnFeatureBytes, type FeatureChange } from '../tier/features.ts';
import { decideCancellation, type CancellationOperation } from './cancellation.ts';
import { decideTierChange, type TierChange } from './change-tier.ts';
import { changed, refused, unchanged, type EntitlementDecision } from './entitlement-decision.ts';
import { nextVersion, type Entitlement, type OneTimePurchase, type SuspensionCause } from './entitlement.ts';
import type { ChangeReason } from './history-entry.ts';
import { hasEnded, statusAt } from './status.ts';
import { causesOf, withCause } from './suspension.ts';

/** A command of the administrator on an existing entitlement. `decideCommand` below has the rule of each. */
export type EntitlementCommand =
  /**
   * `anchorDay` is absent for an end on its own day. With `keepStart` the present period becomes longer; without, the next
   * one starts where it ends.
   */
  | {
      readonly kind: 'renew';
      readonly currentPeriodEnd: Date;
      readonly anchorDay?: number | null;
      readonly keepStart?: boolean;
      readonly grace: number;
    }
  | ({ readonly kind: 'change-tier' } & TierChange)
  | ({ readonly kind: 'allow' } & AllowanceChange)
  | { readonly kind: CancellationOperation }
  | { readonly kind: 'past-due' }
  /** `cause` is absent for the operator's suspension. */
  | { readonly kind: 'suspend'; readonly cause?: SuspensionCause; readonly reason?: ChangeReason }
  | { readonly kind: 'reinstate'; readonly cause?: SuspensionCause }
  | { readonly kind: 'revoke'; readonly reason?: ChangeReason };

/** New values that an entitlement has of its own. A member that is absent stays. */
export interface AllowanceChange {
  readonly deviceLimit?: OwnLimit;
  readonly features?: FeatureChange;
}

/** The default grace, in milliseconds. It covers the minutes to hours between a payment and the record of its renewal. */
export const defaultGrace = day;

type Renewal = Extract<EntitlementCommand, { readonly kind: 'renew' }>;

/** Decides the effect of a command on an entitlement, by its status at one instant. */
export function decideCommand(command: EntitlementCommand, entitlement: Entitlement, now: Date): EntitlementDecision {
  switch (command.kind) {
    case 'renew':
      return decideRenewal(command, entitlement, now);
    case 'change-tier':
      return decideTierChange(command, entitlement, now);
    case 'allow':
      return decideAllowance(command, entitlement, now);
    case 'cancel':
    case 'resume':
      return decideCancellationCommand(command.kind, entitlement, now);
    case 'past-due':
      return decidePastDue(entitlement, now);
    case 'suspend':
      return decideSuspension(command, entitlement, now);
    case 'reinstate':
      return decideReinstatement(command.cause ?? 'operator', entitlement, now);
    case 'revoke':
      return decideRevocation(command, entitlement, now);
  }
}

/**
 * An expired subscription becomes active again, and a hold stays. A canceled one, or one that will be, cannot be
 * renewed. A renewal to the present end changes nothing, whatever has happened since, so that it is safe to repeat.
 */
function decideRenewal(renewal: Renewal, entitlement: Entitlement, now: Date): EntitlementDecision {
  if (entitlement.kind === 'one_time') return decideRenewalOfPurchase(renewal, entitlement, now);
  if (renewal.currentPeriodEnd.getTime() === entitlement.currentPeriodEnd.getTime()) return unchanged;
  const status = statusAt(entitlement, now);
  if (status === 'revoked') return refused('entitlement_revoked');
  if (status === 'canceled') return refused('entitlement_canceled');
  if (entitlement.cancellation !== null) return refused('cancellation_scheduled');
  const { currentPeriodEnd, anchorDay = null, keepStart = false, grace } = renewal;
  if (currentPeriodEnd <= now || currentPeriodEnd <= entitlement.currentPeriodEnd)
    return refused('period_end_too_early');
  const next = nextVersion(entitlement, now, {
    standing: 'active',
    currentPeriodStart: keepStart ? entitlement.currentPeriodStart : entitlement.currentPeriodEnd,
    currentPeriodEnd,
    anchorDay,
    graceUntil: new Date(currentPeriodEnd.getTime() + grace),
    unpaidUntil: null,
  });
  return changed(next, 'renewed');
}

/** A smaller limit takes nobody's seat. While more are used than there are, nobody gets one. */
function decideAllowance(change: AllowanceChange, entitlement: Entitlement, now: Date): EntitlementDecision {
  if (hasEnded(statusAt(entitlement, now))) return refused('entitlement_ended');
  const { deviceLimit = entitlement.deviceLimit } = change;
  const features = changedFeatures(entitlement.features, change.features ?? {});
  if (deviceLimit === entitlement.deviceLimit && areSameFeatures(features, entitlement.features)) return unchanged;
  if (!isSmall(features, maxOwnFeatureBytes)) return refused('too_many_features');
  return changed(nextVersion(entitlement, now, { deviceLimit, features }), 'allowance_changed');
}

/** The access of a purchase that ends by the clock goes on until a later end. One that never ends has none. */
function decideRenewalOfPurchase(
  { currentPeriodEnd: accessEndsAt }: Renewal,
  purchase: OneTimePurchase,
  now: Date,
): EntitlementDecision {
  const end = purchase.accessEndsAt;
  if (end === null) return refused('not_a_subscription');
  if (accessEndsAt.getTime() === end.getTime()) return unchanged;
  if (purchase.hold.kind === 'revoked') return refused('entitlement_revoked');
  if (accessEndsAt <= now || accessEndsAt <= end) return refused('period_end_too_early');
  return changed(nextVersion(purchase, now, { standing: 'active', accessEndsAt }), 'renewed');
}

/** As for a merchant's server, but without an idempotency record, so that nothing is written if nothing changes. */
function decideCancellationCommand(
  operation: CancellationOperation,
  entitlement: Entitlement,
  now: Date,
): EntitlementDecision {
  const decision = decideCancellation(operation, entitlement, now);
  return decision.kind === 'unchanged' ? unchanged : decision;
}

function decidePastDue(entitlement: Entitlement, now: Date): EntitlementDecision {
  const status = statusAt(entitlement, now);
  if (hasEnded(status)) return refused('entitlement_ended');
  if (status === 'past_due') return unchanged;
  if (status === 'suspended') return refused('entitlement_not_current');
  return changed(nextVersion(entitlement, now, { standing: 'past_due' }), 'past_due');
}

/** The outcome of a payment counts after the end of a purchase too: it may be renewed. */
function decideSuspension(
  { cause = 'operator', reason }: Extract<EntitlementCommand, { readonly kind: 'suspend' }>,
  entitlement: Entitlement,
  now: Date,
): EntitlementDecision {
  const status = statusAt(entitlement, now);
  if (hasEnded(status) && !(cause === 'payment' && status === 'expired')) return refused('entitlement_ended');
  if (causesOf(entitlement.hold).includes(cause)) return unchanged;
  return changed(
    nextVersion(entitlement, now, { hold: withCause(entitlement.hold, cause, true) }),
    'suspended',
    reason,
  );
}

/** Lifts one cause. While the other holds, the change is one of a suspension that goes on. */
function decideReinstatement(cause: SuspensionCause, entitlement: Entitlement, now: Date): EntitlementDecision {
  const status = statusAt(entitlement, now);
  const mayLift = status === 'suspended' || (cause === 'payment' && status === 'expired');
  if (!mayLift || !causesOf(entitlement.hold).includes(cause)) return unchanged;
  const next = nextVersion(entitlement, now, { hold: withCause(entitlement.hold, cause, false) });
  return changed(next, statusAt(next, now) === 'suspended' ? 'suspended' : 'reinstated');
}

/** Revocation is final, and possible after the end. */
function decideRevocation(
  { reason }: Extract<EntitlementCommand, { readonly kind: 'revoke' }>,
  entitlement: Entitlement,
  now: Date,
): EntitlementDecision {
  if (entitlement.hold.kind === 'revoked') return unchanged;
  return changed(nextVersion(entitlement, now, { hold: { kind: 'revoked', at: now } }), 'revoked', reason);
}
