import type { Call } from '../../call.ts';
import { Refusal } from '../../refusal.ts';
import { snapshotAt, type Snapshot } from '../snapshot.ts';
import type { Entitlements } from './entitlements.port.ts';

/** Reads an entitlement of the product. Refuses with `entitlement_not_found`. */
export type ReadEntitlement = (id: string, productId: string, call: Call) => Promise<Snapshot>;

export function readEntitlement(entitlements: Entitlements): ReadEntitlement {
  return async (id, productId, call) => {
    const entitlement = await entitlements.find(id, productId, call);
    if (entitlement === null) throw new Refusal('entitlement_not_found');
    return snapshotAt(entitlement, call.now);
  };
}
