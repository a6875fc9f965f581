import type { Call } from '../call.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import type { AllAppKeys } from './all-app-keys.port.ts';
import type { AppKeyTerms, IssuedAppKey, NewAppKey } from './new-app-key.ts';

/** Issues an app key for a product. Refuses with `product_not_found`. */
export type IssueAppKey = (terms: AppKeyTerms, call: Call) => Promise<IssuedAppKey>;

export function issueAppKey(products: Products, appKeys: AllAppKeys, newAppKey: NewAppKey): IssueAppKey {
  return async (terms, call) => {
    if ((await products.find(terms.productId, call)) === null) throw new Refusal('product_not_found');
    const { issued, stored } = newAppKey(terms, call.now);
    await appKeys.add(stored, call);
    return issued;
  };
}
