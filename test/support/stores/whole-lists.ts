/** Whole lists of a store, for tests that look at everything there is. */
import type { AppKey } from '../../../core/access/app-key.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { Product } from '../../../core/product/product.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall } from '../builders.ts';

/** More than any test stores. */
const all = 10_000;

export function appKeysIn({ allAppKeys }: Pick<StorePorts, 'allAppKeys'>): Promise<readonly AppKey[]> {
  return allAppKeys.page({ productId: null, after: null, limit: all }, aCall());
}

export function productsIn({ products }: Pick<StorePorts, 'products'>): Promise<readonly Product[]> {
  return products.page(null, all, aCall());
}

export function listingsIn({ allListings }: Pick<StorePorts, 'allListings'>): Promise<readonly Listing[]> {
  return allListings.page({ state: null, after: null, limit: all }, aCall());
}
