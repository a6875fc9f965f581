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

/** One change of an entitlement: what was done, when, and who did it. */
export interface HistoryEntry {
  readonly at: Date;
  readonly by: Actor;
  readonly operation: HistoryOperation;
  readonly correlationId: string;
  /** The version that the change has made. */
  readonly version: number;
}

/** How many entries of an entitlement are kept. Older ones are removed. */
export const maxHistory = 100;

/** Makes the entry of a change that a call makes. */
export function historyEntry(next: Entitlement, operation: HistoryOperation, call: Call): HistoryEntry {
  const { now: at, by, correlationId } = call;
  return { at, by, operation, correlationId, version: next.version };
}
