import type { Call } from '../call.ts';

/** A list without a filter, or the part of it that is of a product or of some. */
export type SizedList =
  | { readonly kind: 'entitlements'; readonly productId: string | null }
  | { readonly kind: 'listings'; readonly products: readonly string[] | null }
  | { readonly kind: 'waitlist' };

/** The sizes of lists. */
export interface ListSizes {
  /** Counts the items of a list up to `max`, so that a long list costs no more. */
  count(list: SizedList, max: number, call: Call): Promise<number>;
}
