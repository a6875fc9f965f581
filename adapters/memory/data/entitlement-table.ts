import { referenceKey, type PlaceByAge } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { License } from '../../../core/license/license.ts';
import { SortedTexts } from './sorted-texts.ts';

/** The entitlements by id, with the indexes by which they are looked up and listed. */
export class EntitlementTable {
  readonly byId = new Map<string, Entitlement>();
  /** License digest to id. */
  readonly licenses = new Map<string, string>();
  /** `referenceKey` to id. */
  readonly references = new Map<string, string>();
  readonly ids = new SortedTexts();
  /** Product id to the ids of its entitlements. */
  readonly idsOfProducts = new Map<string, SortedTexts>();
  /** The instants of creation with the ids, as `ageKey` writes them. */
  readonly ages = new SortedTexts();
  readonly agesOfProducts = new Map<string, SortedTexts>();
  /** The end of a license key to the ids. */
  readonly idsOfLastFour = new Map<string, SortedTexts>();

  get(id: string): Entitlement | undefined {
    return this.byId.get(id);
  }

  set(id: string, entitlement: Entitlement): void {
    const { productId, license, reference } = entitlement;
    const before = this.byId.get(id);
    this.byId.set(id, entitlement);
    if (reference !== null) this.references.set(referenceKey(productId, reference), id);
    if (before === undefined || before.license !== license) this.#moveLicense(id, before?.license ?? null, license);
    if (before !== undefined) return;
    this.ids.add(id);
    textsOf(this.idsOfProducts, productId).add(id);
    this.ages.add(ageKey(entitlement));
    textsOf(this.agesOfProducts, productId).add(ageKey(entitlement));
  }

  #moveLicense(id: string, before: License | null, license: License | null): void {
    if (before !== null) this.licenses.delete(before.digest);
    if (license !== null) this.licenses.set(license.digest, id);
    this.idsOfLastFour.get(before?.lastFour ?? '')?.delete(id);
    if (typeof license?.lastFour === 'string') textsOf(this.idsOfLastFour, license.lastFour).add(id);
  }
}

/** Writes the place of an entitlement by age as a text that sorts as places do. */
export function ageKey({ createdAt, id }: PlaceByAge): string {
  return `${String(createdAt.getTime()).padStart(16, '0')}/${id}`;
}

export function idOfAge(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

function textsOf(texts: Map<string, SortedTexts>, key: string): SortedTexts {
  const known = texts.get(key) ?? new SortedTexts();
  texts.set(key, known);
  return known;
}
