import type { PriceMap } from '../billing/price-map.port.ts';
import { isSoldByStripe } from '../billing/sold-by-stripe.ts';
import { extended, type Call } from '../call.ts';
import type { AllEntitlements, EntitlementHistory } from '../entitlement/administration/all-entitlements.port.ts';
import { decidedSnapshot, type FullSnapshot } from '../entitlement/administration/show-entitlement.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { readWhy, type Why } from '../entitlement/why/why.ts';
import type { SalesOfAddress } from '../mail/buyer-addresses.port.ts';
import { grantedOf } from '../mail/lost/granted-sales.ts';
import type { Product, Products } from '../product/products.port.ts';

/** Milliseconds that a look for an address may take, its wait for others included. */
export const maxAddressLook = 8000;

/** Purchases of an address that are shown: the newest. */
export const maxFound = 20;

/** The outcome of a look: the number of purchases that it has found, and the code of its failure or null. */
export interface AddressLookEnd {
  readonly found: number;
  readonly failure: string | null;
}

/** The look-ups by which a process asks Stripe for addresses. Nothing is kept of them. */
export interface AddressLooks {
  /**
   * Finds the sales to an address, within `maxAddressLook` and whatever the deadline of the call. Refuses with `rate_limited` an
   * operator who has looked for too many addresses.
   */
  readonly salesTo: (typed: string, call: Call) => Promise<SalesOfAddress>;
  /** Counts and logs a look that has ended. */
  readonly report: (end: AddressLookEnd, call: Call) => void;
}

/** A purchase of an address. */
export interface FoundSale {
  readonly entitlement: FullSnapshot;
  /** Null if the product is unknown. */
  readonly product: Product | null;
  readonly why: Why;
}

/** Why Stripe has not said all: it did not answer, or the key of the process may not read customers. */
export type LookTrouble = 'no answer' | 'refused';

/** The sales to an address. */
export interface FoundSales {
  /** The newest of them first, at most `maxFound`. */
  readonly sales: readonly FoundSale[];
  readonly count: number;
  /** Sales at Stripe that have no entitlement here. 0 for a caller that is limited to products. */
  readonly missing: number;
  /** The customer at Stripe who has bought last; null for a caller that is limited to products. */
  readonly customer: string | null;
  readonly trouble: LookTrouble | null;
}

export interface AddressPorts {
  readonly allEntitlements: Pick<AllEntitlements, 'find'>;
  readonly entitlementHistory: EntitlementHistory;
  readonly products: Pick<Products, 'find'>;
  readonly priceMap: Pick<PriceMap, 'page'>;
}

/**
 * Finds what was sold to an address, at Stripe and now. A caller that is limited to products finds theirs, after the same
 * requests. Stripe's failures are part of the result. Refuses with `rate_limited`.
 */
export async function findByAddress(
  ports: AddressPorts,
  { salesTo, report }: AddressLooks,
  typed: string,
  asked: Call,
): Promise<FoundSales> {
  const found = await salesTo(typed, asked);
  const call = extended(asked, maxAddressLook);
  const parts = { entitlements: ports.allEntitlements, isSold: isSoldByStripe(ports.priceMap) };
  const { granted, missing } = await grantedOf(parts, found.sales, call);
  const failure = found.kind === 'failed' ? found.code : null;
  report({ found: granted.length, failure }, call);
  const isLimited = call.products !== null;
  const sales: FoundSale[] = [];
  for (const { entitlement } of granted.slice(0, maxFound)) sales.push(await foundSale(ports, entitlement, call));
  return {
    sales,
    count: granted.length,
    missing: isLimited ? 0 : missing,
    customer: isLimited ? null : (granted[0]?.sale.customer ?? null),
    trouble: failure === null ? null : failure === 'stripe 403' ? 'refused' : 'no answer',
  };
}

async function foundSale(
  { products, entitlementHistory }: AddressPorts,
  entitlement: Entitlement,
  call: Call,
): Promise<FoundSale> {
  return {
    entitlement: decidedSnapshot(entitlement, call),
    product: await products.find(entitlement.productId, call),
    why: await readWhy(entitlementHistory, entitlement, call),
  };
}
