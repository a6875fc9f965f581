import type { Call } from '../call.ts';

/** A list without a filter, or the entitlements of one product. */
export type SizedList =
  | { readonly kind: 'entitlements'; readonly productId: string | null }
  | { readonly kind: 'listings' }
  | { readonly kind: 'waitlist' };

/** How long lists are. */
export interface ListSizes {
  /** Counts the items of a list up to `max`, so that a long list costs no more. */
  count(list: SizedList, max: number, call: Call): Promise<number>;
}
