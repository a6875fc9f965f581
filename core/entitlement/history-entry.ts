import type { Actor, Call } from '../call.ts';
import type { Entitlement } from './entitlement.ts';

/** The operations that a history can have. */
export const historyOperations = [
  'granted',
  'imported',
  'renewed',
  'tier_changed',
  'cancellation_scheduled',
  'cancellation_undone',
  'past_due',
  'suspended',
  'reinstated',
  'revoked',
  'ended',
  'license_rotated',
  'license_moved',
  'license_revoked',
  'allowance_changed',
] as const;

export type HistoryOperation = (typeof historyOperations)[number];

/**
 * Why Stripe or the clock takes access: the payment was refunded, is disputed, was lost in a dispute or is missing, or the
 * subscription is paused.
 */
export const changeReasons = ['refunded', 'disputed', 'dispute_lost', 'unpaid', 'paused'] as const;

export type ChangeReason = (typeof changeReasons)[number];

/** A change as the history and its event name it. */
export interface NamedChange {
  readonly operation: HistoryOperation;
  /** Absent or null for none. */
  readonly reason?: ChangeReason | null;
}

/** One change of an entitlement: the operation, its instant, and who made it. */
export interface HistoryEntry {
  readonly at: Date;
  readonly by: Actor;
  readonly operation: HistoryOperation;
  readonly correlationId: string;
  /** The version that the change has made. */
  readonly version: number;
  /** Null for none, as in every entry of release 0.1.0. */
  readonly reason: ChangeReason | null;
}

/** The number of entries that are kept of an entitlement. Older ones are removed. */
export const maxHistory = 100;

/** Makes the entry of a change that a call makes. */
export function historyEntry(
  next: Entitlement,
  { operation, reason = null }: NamedChange,
  { now: at, by, correlationId }: Call,
): HistoryEntry {
  return { at, by, operation, correlationId, version: next.version, reason };
}
