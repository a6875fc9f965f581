import type { NewCall } from '../call.ts';
import { walk } from '../paging/walk.ts';
import type { PriceMap } from './price-map.port.ts';
import type { StripeCase, StripeCases } from './stripe-cases.port.ts';

/** The text between the prices in the detail of a case. No id of a price has it. */
export const betweenPrices = ', ';

interface Ports {
  readonly priceMap: Pick<PriceMap, 'find'>;
  readonly stripeCases: Pick<StripeCases, 'page'>;
}

/** Finds the sales that wait for a mapping of their price and have one now: a look at them grants them. */
export type FindMappedSales = (newCall: NewCall, isStopped?: () => boolean) => Promise<readonly string[]>;

export function findMappedSales({ priceMap, stripeCases }: Ports): FindMappedSales {
  return async (newCall, isStopped = () => false) => {
    const isMapped = new Map<string, boolean>();
    const found: string[] = [];
    const all = walk<StripeCase>((after, limit, call) => stripeCases.page(after, limit, call), newCall);
    for await (const { id, kind, detail } of all) {
      if (isStopped()) return [];
      if (kind !== 'unmapped_price' || detail === null) continue;
      for (const price of detail.split(betweenPrices)) {
        if (!isMapped.has(price)) isMapped.set(price, (await priceMap.find(price, newCall())) !== null);
        if (isMapped.get(price) !== true) continue;
        found.push(id);
        break;
      }
    }
    return found;
  };
}
