import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { MakeLicense } from '../../license/license.ts';
import type { Products } from '../../product/products.port.ts';
import { Refusal } from '../../refusal.ts';
import type { Grant } from '../grant.ts';
import { snapshotAt, type Snapshot } from '../snapshot.ts';
import { additionRefusals, type AddWithLicense, type MakeAddition } from './make-addition.ts';

export interface GrantRequest {
  readonly grant: Grant;
  /** Null for a generated id. */
  readonly id: string | null;
  /** Null for a generated key. */
  readonly licenseKey: string | null;
}

export interface GrantAnswer {
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
): GrantEntitlement {
  return async (request, call) => {
    const made = makeLicense(request.licenseKey, call.now);
    const { key, license } = made;
    const id = request.id ?? newId();
    const decision = makeAddition(request.grant, { id, license }, 'granted', call);
    if (decision.kind === 'refused') throw new Refusal(decision.code);
    if ((await products.find(request.grant.productId, call)) === null) throw new Refusal('product_not_found');
    const { addition } = decision;
    const outcome = await add(addition, made, call);
    if (outcome.kind !== 'added') throw new Refusal(additionRefusals[outcome.kind]);
    return { entitlement: snapshotAt(addition.entitlement, call.now), licenseKey: key };
  };
}
