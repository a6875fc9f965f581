import type { PriceMapping } from '../../../core/billing/price-map.port.ts';
import { maxDevices } from '../../../core/entitlement/entitlement.ts';

/** Which of the prices of a subscription or session decides. */
export interface Sold {
  /** Null if no price is mapped. */
  readonly mapping: PriceMapping | null;
  /** The place of the deciding price: the first mapped one, otherwise the first. */
  readonly index: number;
}

/** Finds the first mapped price. */
export async function soldBy(
  prices: readonly string[],
  find: (price: string) => Promise<PriceMapping | null>,
): Promise<Sold> {
  for (const [index, price] of prices.entries()) {
    const mapping = await find(price);
    if (mapping !== null) return { mapping, index };
  }
  return { mapping: null, index: 0 };
}

/**
 * How many devices a quantity of a mapped price allows: as many for each unit as the mapping says, 1 to 10,000. Null if it
 * does not say it.
 */
export function limitOf(mapping: PriceMapping | null, quantity: number | null | undefined): number | null {
  const each = mapping?.deviceLimit ?? null;
  return each === null ? null : Math.min(maxDevices, each * Math.max(1, quantity ?? 1));
}
