import { standings, type Entitlement, type Hold, type Standing } from './entitlement.ts';
import { isUnpaid } from './suspension.ts';

export const entitlementStatuses = [...standings, 'suspended', 'canceled', 'expired', 'revoked'] as const;

export type EntitlementStatus = (typeof entitlementStatuses)[number];

/** The status at one instant, by the first rule that applies. It follows from the clock, so that no job has to set it. */
export function statusAt(entitlement: Entitlement, now: Date): EntitlementStatus {
  if (entitlement.hold.kind === 'revoked') return 'revoked';
  if (entitlement.kind === 'one_time') {
    const { accessEndsAt, hold, standing } = entitlement;
    return accessEndsAt !== null && accessEndsAt <= now ? 'expired' : heldOr(hold, standing);
  }
  if (entitlement.cancellation !== null && entitlement.cancellation.at <= now) return 'canceled';
  if (entitlement.graceUntil <= now) return 'expired';
  if (isUnpaid(entitlement, now)) return 'suspended';
  return heldOr(entitlement.hold, entitlement.currentPeriodEnd <= now ? 'past_due' : entitlement.standing);
}

/** The instants at which the clock can change the status, in order. */
export function clockInstants(entitlement: Entitlement): readonly Date[] {
  if (entitlement.kind === 'one_time') return entitlement.accessEndsAt === null ? [] : [entitlement.accessEndsAt];
  const { currentPeriodEnd, graceUntil, cancellation, unpaidUntil } = entitlement;
  const instants = [currentPeriodEnd, graceUntil, cancellation?.at ?? null, unpaidUntil];
  return instants.filter((instant) => instant !== null).toSorted((a, b) => a.getTime() - b.getTime());
}

function heldOr(hold: Hold, standing: Standing): EntitlementStatus {
  return hold.kind === 'suspended' ? 'suspended' : standing;
}

/** Reports whether a status gives the buyer access. */
export function givesAccess(status: EntitlementStatus): boolean {
  return status === 'trialing' || status === 'active' || status === 'past_due';
}

/** Reports whether a status is an end. At most an administrator can undo it. */
export function hasEnded(status: EntitlementStatus): status is 'canceled' | 'expired' | 'revoked' {
  return status === 'canceled' || status === 'expired' || status === 'revoked';
}

/** When access ended, or null if it has not. */
export function endedAt(entitlement: Entitlement, status: EntitlementStatus): Date | null {
  if (entitlement.hold.kind === 'revoked') return entitlement.hold.at;
  if (entitlement.kind === 'one_time') return status === 'expired' ? entitlement.accessEndsAt : null;
  if (status === 'canceled') return entitlement.cancellation?.at ?? null;
  return status === 'expired' ? entitlement.graceUntil : null;
}
