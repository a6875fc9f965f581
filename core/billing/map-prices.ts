import type { Call, NewCall } from '../call.ts';
import { cursorAt, textIn } from '../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../paging/page.ts';
import { walk } from '../paging/walk.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import { unknownTier, withoutTiers, type AllowanceParts, type UnknownTier } from '../tier/allowance.ts';
import type { MakeLicenseSecret } from './derive-license-key.ts';
import type { PriceMap, PriceMapping } from './price-map.port.ts';

const list = ['prices'] as const;

/** A mapping after it was put, and whether that has changed anything. */
export interface MapPriceAnswer extends UnknownTier {
  readonly mapping: PriceMapping;
  readonly outcome: 'added' | 'replaced' | 'unchanged';
}

/**
 * Says which tier of which product a price sells; another mapping of the price is replaced. Entitlements that were granted
 * by it change with the next look at them. Makes the secret of license keys, so that a backup from before the first sale has it.
 * Refuses with `product_not_found`.
 */
export type MapPrice = (mapping: PriceMapping, call: Call) => Promise<MapPriceAnswer>;

export function mapPrice(
  prices: PriceMap,
  products: Products,
  makeSecret: MakeLicenseSecret,
  { tiers }: Pick<AllowanceParts, 'tiers'> = withoutTiers,
): MapPrice {
  return async (mapping, call) => {
    if ((await products.find(mapping.productId, call)) === null) throw new Refusal('product_not_found');
    const warning = await unknownTier(tiers, mapping, call);
    await makeSecret(call);
    return { mapping, outcome: await prices.put(mapping, call), ...warning };
  };
}

/** Removes the mapping of a price, and returns whether there was one. Entitlements that it has granted stay. */
export type UnmapPrice = (price: string, call: Call) => Promise<boolean>;

export function unmapPrice(prices: PriceMap): UnmapPrice {
  return (price, call) => prices.remove(price, call);
}

/** Lists mappings by price in code-point order. Refuses with `invalid_parameter` for a cursor of another list. */
export type ListPrices = (page: PageRequest, call: Call) => Promise<Page<PriceMapping>>;

export function listPrices(prices: PriceMap): ListPrices {
  return async (page, call) => {
    const after = textIn(list, page.after);
    const found = await prices.page(after, page.limit + 1, call);
    return pageOf(found, page, ({ price }) => cursorAt(list, [price]));
  };
}

/** Walks over every mapping in the order of `ListPrices`. */
export type EveryPrice = (newCall: NewCall) => AsyncIterable<PriceMapping>;

export function everyPrice(prices: Pick<PriceMap, 'page'>): EveryPrice {
  return (newCall) => walk((after, limit, call) => prices.page(after?.price ?? null, limit, call), newCall);
}
