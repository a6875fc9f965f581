/** Whole lists of a store, for tests that look at everything there is. */
import type { Listing } from '../../../core/catalog/listing.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { AppKey } from '../../../core/key/app/app-key.ts';
import type { Product } from '../../../core/product/products.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import type { WaitlistEntry } from '../../../core/waitlist/invitation.ts';
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
  return allListings.page({ products: null, state: null, after: null, limit: all }, aCall());
}

export function entitlementsIn({
  allEntitlements,
}: Pick<StorePorts, 'allEntitlements'>): Promise<readonly Entitlement[]> {
  return allEntitlements.page({ productId: null, reference: null, after: null, limit: all }, aCall());
}

export function signUpsIn({ waitlist }: Pick<StorePorts, 'waitlist'>): Promise<readonly WaitlistEntry[]> {
  return waitlist.page(null, all, aCall());
}
