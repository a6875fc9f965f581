import type { Call } from '../call.ts';
import type { EntitlementCommand } from '../entitlement/entitlement-command.ts';
import type { PriceMap } from './price-map.port.ts';

/**
 * Reports whether Stripe sells an entitlement: its id is that of a subscription or a checkout session there, and the store
 * has a mapped price. The settings of the process do not count, so that every command and every process says the same.
 */
export type IsSoldByStripe = (entitlementId: string, call: Call) => Promise<boolean>;

export function isSoldByStripe(prices: Pick<PriceMap, 'page'>): IsSoldByStripe {
  return async (id, call) => /^(sub|cs)_/.test(id) && (await prices.page(null, 1, call)).length > 0;
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

/** Reports whether a change of an entitlement that Stripe sells is Stripe's. */
export function isStripesChange(id: string, kind: string): boolean {
  return id.startsWith('sub_') && stripesChanges.some((each) => each === kind);
}
