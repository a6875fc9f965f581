import type { IsSoldByStripe } from '../../billing/sold-by-stripe.ts';
import type { Call } from '../../call.ts';
import type { AllEntitlements } from '../../entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../entitlement/entitlement.ts';
import type { SaleOfAddress } from '../buyer-addresses.port.ts';

/** A sale at Stripe, and the entitlement that it has granted. */
export interface GrantedSale {
  readonly entitlement: Entitlement;
  readonly sale: SaleOfAddress;
}

export interface GrantedSales {
  /** Each once, the newest first. */
  readonly granted: readonly GrantedSale[];
  /** The number of others that have no entitlement here that the caller may know of. */
  readonly missing: number;
}

interface Parts {
  readonly entitlements: Pick<AllEntitlements, 'find'>;
  readonly isSold: IsSoldByStripe;
}

/** Finds the entitlements that the sales to an address have granted. A sale may be named several times. */
export async function grantedOf(
  { entitlements, isSold }: Parts,
  sales: readonly SaleOfAddress[],
  call: Call,
): Promise<GrantedSales> {
  const granted: GrantedSale[] = [];
  let missing = 0;
  for (const [id, sale] of new Map(sales.map((each) => [each.entitlementId, each]))) {
    const entitlement = await entitlements.find(id, call);
    if (entitlement === null) missing += 1;
    else if (await isSold(id, call)) granted.push({ entitlement, sale });
  }
  const newestFirst = (a: GrantedSale, b: GrantedSale): number =>
    b.entitlement.createdAt.getTime() - a.entitlement.createdAt.getTime();
  return { granted: granted.toSorted(newestFirst), missing };
}
