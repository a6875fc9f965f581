import type { Call } from '../../call.ts';
import { Refusal } from '../../refusal.ts';
import { tierIn, withoutTiers, type AllowanceParts } from '../../tier/allowance.ts';
import { effectiveAt, type Snapshot } from '../snapshot.ts';
import type { Entitlements } from './entitlements.port.ts';

/** Reads an entitlement of the product, with its allowance. Refuses with `entitlement_not_found`. */
export type ReadEntitlement = (id: string, productId: string, call: Call) => Promise<Snapshot>;

export function readEntitlement(
  entitlements: Entitlements,
  { knownTiers }: Pick<AllowanceParts, 'knownTiers'> = withoutTiers,
): ReadEntitlement {
  return async (id, productId, call) => {
    const entitlement = await entitlements.find(id, productId, call);
    if (entitlement === null) throw new Refusal('entitlement_not_found');
    return effectiveAt(entitlement, call.now, tierIn(await knownTiers(call), entitlement));
  };
}
