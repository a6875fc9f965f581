import type { Call } from '../../call.ts';
import type { HistoryEntry } from '../history-entry.ts';

/** Reads what happened to entitlements. The ports that change an entitlement store each entry with its change. */
export interface EntitlementHistory {
  /** Lists the last `maxHistory` entries of an entitlement, the newest first. */
  list(entitlementId: string, call: Call): Promise<readonly HistoryEntry[]>;
}
