import type { Call } from '../../call.ts';
import { Refusal } from '../../refusal.ts';
import type { EntitlementDecision } from '../entitlement-decision.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';
import type { Entitlement } from '../entitlement.ts';
import { historyEntry, type HistoryEntry } from '../history-entry.ts';
import { snapshotAt, type Snapshot } from '../snapshot.ts';

/** An entitlement after a command. */
export interface CommandAnswer {
  readonly snapshot: Snapshot;
  /** The version that the command found: equal to the snapshot's if nothing changed. */
  readonly versionBefore: number;
}

/**
 * Reads an entitlement, decides, and stores the decision. Starts again as long as others change the entitlement in
 * between. Refuses with `entitlement_not_found`, as `decide` decides, with `license_key_exists` if another entitlement
 * has the license, and with `changed_meanwhile` at the deadline.
 */
export async function applyDecision(
  entitlements: AllEntitlements,
  id: string,
  decide: (entitlement: Entitlement) => EntitlementDecision,
  call: Call,
): Promise<CommandAnswer> {
  while (call.deadline.remaining() > 0) {
    const seen = await entitlements.find(id, call);
    if (seen === null) throw new Refusal('entitlement_not_found');
    const decision = decide(seen);
    if (decision.kind === 'refused') throw new Refusal(decision.code);
    if (decision.kind === 'unchanged') return { snapshot: snapshotAt(seen, call.now), versionBefore: seen.version };
    const { next, operation } = decision;
    const saved = await save(entitlements, seen, next, historyEntry(next, operation, call), call);
    if (saved) return { snapshot: snapshotAt(next, call.now), versionBefore: seen.version };
  }
  throw new Refusal('changed_meanwhile');
}

/** Returns false if the entitlement has changed since it was seen. */
async function save(
  entitlements: AllEntitlements,
  seen: Entitlement,
  next: Entitlement,
  entry: HistoryEntry,
  call: Call,
): Promise<boolean> {
  const outcome = await entitlements.change(seen, next, entry, call);
  if (outcome.kind === 'license taken') throw new Refusal('license_key_exists');
  return outcome.kind === 'changed';
}
