import { referenceKey } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { SortedTexts } from './sorted-texts.ts';

/** The entitlements by id, with what they are looked up and listed by. */
export class EntitlementTable {
  readonly byId = new Map<string, Entitlement>();
  /** License digest to id. */
  readonly licenses = new Map<string, string>();
  /** `referenceKey` to id. */
  readonly references = new Map<string, string>();
  readonly ids = new SortedTexts();
  /** Product id to the ids of its entitlements. */
  readonly idsOfProducts = new Map<string, SortedTexts>();

  get(id: string): Entitlement | undefined {
    return this.byId.get(id);
  }

  set(id: string, entitlement: Entitlement): void {
    const { productId, license, reference } = entitlement;
    const digest = this.byId.get(id)?.license?.digest;
    if (digest !== undefined) this.licenses.delete(digest);
    if (license !== null) this.licenses.set(license.digest, id);
    if (reference !== null) this.references.set(referenceKey(productId, reference), id);
    this.byId.set(id, entitlement);
    this.ids.add(id);
    const ofProduct = this.idsOfProducts.get(productId) ?? new SortedTexts();
    ofProduct.add(id);
    this.idsOfProducts.set(productId, ofProduct);
  }
}
