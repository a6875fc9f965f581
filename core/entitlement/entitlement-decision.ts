import type { CommandRefusal } from '../refusal.ts';
import type { Entitlement } from './entitlement.ts';
import type { ChangeReason, HistoryOperation, NamedChange } from './history-entry.ts';

/** The decision about a command on an entitlement. */
export type EntitlementDecision =
  | ({ readonly kind: 'changed'; readonly next: Entitlement } & NamedChange)
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly code: CommandRefusal };

export const unchanged: EntitlementDecision = { kind: 'unchanged' };

export function changed(
  next: Entitlement,
  operation: HistoryOperation,
  reason: ChangeReason | null = null,
): EntitlementDecision {
  return { kind: 'changed', next, operation, reason };
}

export function refused(code: CommandRefusal): EntitlementDecision {
  return { kind: 'refused', code };
}
