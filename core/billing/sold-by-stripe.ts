import type { Call } from '../call.ts';
import type { ReadStripes } from '../entitlement/administration/apply-decision.ts';
import type { EntitlementCommand } from '../entitlement/entitlement-command.ts';
import { tierKey } from '../tier/allowance.ts';
import { everyPrice } from './map-prices.ts';
import type { PriceMap } from './price-map.port.ts';

/** Ids of subscriptions and checkout sessions, which only sales at Stripe give: a change of them is made there too. */
export function isIdAtStripe(entitlementId: string): boolean {
  return /^(?:sub|cs)_/.test(entitlementId);
}

/**
 * Reports whether Stripe sells an entitlement: its id is that of a subscription or a checkout session there, and the store
 * has a mapped price. The settings of the process do not count, so that every command and every process says the same.
 */
export type IsSoldByStripe = (entitlementId: string, call: Call) => Promise<boolean>;

export function isSoldByStripe(prices: Pick<PriceMap, 'page'>): IsSoldByStripe {
  return async (id, call) => isIdAtStripe(id) && (await prices.page(null, 1, call)).length > 0;
}

/**
 * The changes that Stripe decides on its subscriptions: the tier, the period and the payment. Anything else would be undone
 * by Stripe's next event.
 */
export const stripesChanges = [
  'renew',
  'change-tier',
  'past-due',
] as const satisfies readonly EntitlementCommand['kind'][];

/**
 * The limit of devices is Stripe's where a mapped price of the tier says how many each unit allows: the next event would
 * undo another one.
 */
export function readStripes(prices: Pick<PriceMap, 'page'>): ReadStripes {
  const isSold = isSoldByStripe(prices);
  return async (id, kind, call) => {
    if (isStripesChange(id, kind) && (await isSold(id, call))) return () => true;
    if (kind !== 'allow' || !id.startsWith('sub_')) return () => false;
    const limited = await Array.fromAsync(everyPrice(prices)(() => call));
    const tiers = new Set(limited.flatMap((mapping) => (mapping.deviceLimit === null ? [] : [tierKey(mapping)])));
    return (entitlement) => tiers.has(tierKey(entitlement));
  };
}

/** Reports whether a change of an entitlement that Stripe sells is Stripe's. */
function isStripesChange(id: string, kind: string): boolean {
  return id.startsWith('sub_') && stripesChanges.some((each) => each === kind);
}
