import type { CommandRefusal } from '../refusal.ts';
import type { Entitlement } from './entitlement.ts';
import type { HistoryOperation } from './history-entry.ts';

/** What a command does to an entitlement. */
export type EntitlementDecision =
  | { readonly kind: 'changed'; readonly next: Entitlement; readonly operation: HistoryOperation }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly code: CommandRefusal };

export const unchanged: EntitlementDecision = { kind: 'unchanged' };

export function changed(next: Entitlement, operation: HistoryOperation): EntitlementDecision {
  return { kind: 'changed', next, operation };
}

export function refused(code: CommandRefusal): EntitlementDecision {
  return { kind: 'refused', code };
}
