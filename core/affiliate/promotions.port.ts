import type { Call } from '../call.ts';
import { compareCodePoints } from '../code-points.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { Promotion, PromotionState } from './promotion.ts';

/** The place of a promotion in the list of all. */
export type PromotionPlace = Pick<Promotion, 'handle' | 'slug'>;

/** Which promotions are asked for. Null for all. */
export interface PromotionFilter {
  readonly handle: string | null;
  readonly slug: string | null;
  readonly productId: string | null;
  readonly state: PromotionState | null;
}

/** Promotions after a place, or the first ones. */
export interface PromotionPart extends PromotionFilter {
  readonly after: PromotionPlace | null;
  readonly limit: number;
}

/** The agreements between affiliates and listings. */
export interface Promotions {
  find(handle: string, slug: string, call: Call): Promise<Promotion | null>;

  /** Reads every promotion of an affiliate, by slug in code-point order. */
  ofAffiliate(handle: string, call: Call): Promise<readonly Promotion[]>;

  /** Finds the promotion of a product to which a code belongs. The code is folded (`foldedCode`). */
  ofCode(productId: string, code: string, call: Call): Promise<Promotion | null>;

  /** Lists promotions, by handle and slug in code-point order. */
  page(part: PromotionPart, call: Call): Promise<readonly Promotion[]>;

  /** Counts the live promotions of a listing for a product. */
  count(slug: string, productId: string, call: Call): Promise<number>;

  /**
   * Stores a promotion if the stored one still has the revision that was seen, or if none was seen and none is stored, and
   * if each of its codes belongs to no other promotion of the product. `next` has the next revision, and every code that
   * was seen.
   */
  replace(seen: Promotion | null, next: Promotion, call: Call): Promise<ReplaceOutcome>;
}

/** The order of the list. */
export function comparePromotionPlaces(a: PromotionPlace, b: PromotionPlace): number {
  return compareCodePoints(a.handle, b.handle) || compareCodePoints(a.slug, b.slug);
}
