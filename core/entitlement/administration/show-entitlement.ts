import type { Call } from '../../call.ts';
import { Refusal } from '../../refusal.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';
import { fullSnapshotAt, type FullSnapshot } from './full-snapshot.ts';

/**
 * Reads an entitlement of any product. Refuses with `entitlement_not_found`. The merchant's `ReadEntitlement` reads
 * another port, in which the product is part of the look-up.
 */
export type ShowEntitlement = (id: string, call: Call) => Promise<FullSnapshot>;

export function showEntitlement(entitlements: AllEntitlements): ShowEntitlement {
  return async (id, call) => {
    const entitlement = await entitlements.find(id, call);
    if (entitlement === null) throw new Refusal('entitlement_not_found');
    return fullSnapshotAt(entitlement, call.now);
  };
}
