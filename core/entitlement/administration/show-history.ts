import type { Call } from '../../call.ts';
import { Refusal } from '../../refusal.ts';
import type { HistoryEntry } from '../history-entry.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';
import type { EntitlementHistory } from './entitlement-history.port.ts';

/** Reads who has changed an entitlement: the last 100 changes, the newest first. Refuses with `entitlement_not_found`. */
export type ShowHistory = (id: string, call: Call) => Promise<readonly HistoryEntry[]>;

export function showHistory(entitlements: AllEntitlements, history: EntitlementHistory): ShowHistory {
  return async (id, call) => {
    if ((await entitlements.find(id, call)) === null) throw new Refusal('entitlement_not_found');
    return history.list(id, call);
  };
}
