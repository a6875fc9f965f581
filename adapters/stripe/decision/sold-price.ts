import type { PriceMapping } from '../../../core/billing/price-map.port.ts';
import { maxDevices } from '../../../core/entitlement/entitlement.ts';

/** A line of a subscription or session whose price is mapped. */
interface MappedLine {
  readonly mapping: PriceMapping;
  readonly index: number;
}

/** Which of the prices of a subscription or session decides. */
export interface Sold {
  /** Null if no price is mapped. */
  readonly mapping: PriceMapping | null;
  /** The place of the deciding price: the first mapped one, otherwise the first. */
  readonly index: number;
  /** The lines of its product, with the deciding one. */
  readonly same: readonly MappedLine[];
  /** The first mapping of each other product. */
  readonly others: readonly PriceMapping[];
}

export const nothingMapped: Sold = { mapping: null, index: 0, same: [], others: [] };

/** Finds the first mapped price: of a product, if one of its prices is there. */
export async function soldBy(
  prices: readonly string[],
  find: (price: string) => Promise<PriceMapping | null>,
  productId: string | null,
): Promise<Sold> {
  const lines: MappedLine[] = [];
  for (const [index, price] of prices.entries()) {
    const mapping = await find(price);
    if (mapping !== null) lines.push({ mapping, index });
  }
  const first = lines.find(({ mapping }) => mapping.productId === productId) ?? lines[0];
  if (first === undefined) return nothingMapped;
  const others = new Map<string, PriceMapping>();
  for (const { mapping } of lines) if (!others.has(mapping.productId)) others.set(mapping.productId, mapping);
  others.delete(first.mapping.productId);
  const same = lines.filter(({ mapping }) => mapping.productId === first.mapping.productId);
  return { ...first, same, others: [...others.values()] };
}

/**
 * The number of devices that the lines of the product allow together: as many for each unit as a mapping says, 1 to
 * 10,000. Null if no mapping says it.
 */
export function limitOf({ same }: Sold, quantities: readonly (number | null | undefined)[]): number | null {
  const limits = same.flatMap(({ mapping: { deviceLimit: each }, index }) =>
    each === null ? [] : [each * Math.max(1, quantities[index] ?? 1)],
  );
  if (limits.length === 0) return null;
  return Math.min(
    maxDevices,
    limits.reduce((sum, limit) => sum + limit, 0),
  );
}
