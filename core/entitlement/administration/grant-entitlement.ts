import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { MakeLicense } from '../../license/license.ts';
import type { Products } from '../../product/products.port.ts';
import { Refusal } from '../../refusal.ts';
import { tierIn, unknownTier, withoutTiers, type AllowanceParts, type UnknownTier } from '../../tier/allowance.ts';
import { additionWithAllowance } from '../event/shown-allowance.ts';
import type { Grant } from '../grant.ts';
import { effectiveAt, type Snapshot } from '../snapshot.ts';
import { additionRefusals, type AddWithLicense, type MakeAddition } from './make-addition.ts';

export interface GrantRequest {
  readonly grant: Grant;
  /** Null for a generated id. */
  readonly id: string | null;
  /** Null for a generated key. */
  readonly licenseKey: string | null;
}

export interface GrantAnswer extends UnknownTier {
  readonly entitlement: Snapshot;
  /** The only copy of the key: the store keeps its digest. */
  readonly licenseKey: string;
}

/**
 * Grants an entitlement and its license in one atomic write. Refuses with `product_not_found`, `invalid_license_key`,
 * `period_end_too_early`, `entitlement_exists`, `license_key_exists` or `reference_exists`.
 */
export type GrantEntitlement = (request: GrantRequest, call: Call) => Promise<GrantAnswer>;

export function grantEntitlement(
  products: Products,
  add: AddWithLicense,
  newId: NewId,
  makeLicense: MakeLicense,
  makeAddition: MakeAddition,
  { tiers, knownTiers }: AllowanceParts = withoutTiers,
): GrantEntitlement {
  return async (request, call) => {
    const made = makeLicense(request.licenseKey, call.now);
    const { key, license } = made;
    const id = request.id ?? newId();
    const decision = makeAddition(request.grant, { id, license }, 'granted', call);
    if (decision.kind === 'refused') throw new Refusal(decision.code);
    if ((await products.find(request.grant.productId, call)) === null) throw new Refusal('product_not_found');
    const addition = await additionWithAllowance(tiers, decision.addition, call);
    const { entitlement } = addition;
    // All is read before the write: a fault after it would lose the only copy of the key.
    const snapshot = effectiveAt(entitlement, call.now, tierIn(await knownTiers(call), entitlement));
    const warning = await unknownTier(tiers, entitlement, call);
    const outcome = await add(addition, made, call);
    if (outcome.kind !== 'added') throw new Refusal(additionRefusals[outcome.kind]);
    return { entitlement: snapshot, licenseKey: key, ...warning };
  };
}
