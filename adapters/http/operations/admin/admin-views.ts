import type { PriceMapping } from '../../../../core/billing/price-map.port.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import type { FullSnapshot } from '../../../../core/entitlement/administration/show-entitlement.ts';
import type { HistoryEntry } from '../../../../core/entitlement/history-entry.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import type { SigningKeyView } from '../../../../core/receipt/signing-key.ts';
import type { SignUp } from '../../../../core/waitlist/sign-up.ts';
import { listingView } from '../listing-views.ts';
import { instantOrNull, snapshotView } from '../views.ts';

// Every member is named here, so that a new one in core shows in no answer by itself.

export function productView({ id, name, createdAt }: Product): object {
  return { id, name, createdAt: createdAt.toISOString() };
}

export function priceView({ price, productId, tierId, tierName }: PriceMapping): object {
  return { price, productId, tierId, tierName };
}

/** The members of a listing, those of the public answer and those of the administrator. */
export function adminListingView(listing: Listing): object {
  return {
    ...listingView(listing),
    state: listing.state,
    publishedAt: listing.publishedAt.toISOString(),
    upfrontCents: listing.upfrontCents,
    url: listing.url,
    imageUrl: listing.imageUrl,
  };
}

export function signUpView({ email, name, handle, role, at }: SignUp): object {
  return { email, name, handle, role, at: at.toISOString() };
}

/** A snapshot with what only the administrator may see; of the license, never more than its last four characters. */
export function fullSnapshotView(snapshot: FullSnapshot): object {
  const { reference, graceUntil, license, suspendedBy } = snapshot;
  return {
    ...snapshotView(snapshot),
    reference,
    graceUntil: instantOrNull(graceUntil),
    license: license && {
      lastFour: license.lastFour,
      createdAt: license.createdAt.toISOString(),
      revokedAt: instantOrNull(license.revokedAt),
    },
    suspendedBy,
  };
}

export function historyView({ at, by, operation, correlationId, version }: HistoryEntry): object {
  return { at: at.toISOString(), by, operation, correlationId, version };
}

/** A signing key, of which nothing is shown that signs. */
export function signingKeyView(key: SigningKeyView): object {
  return {
    kid: key.kid,
    state: key.state,
    alg: key.alg,
    createdAt: key.createdAt.toISOString(),
    activeAt: instantOrNull(key.activeAt),
    retiredAt: instantOrNull(key.retiredAt),
    revokedAt: instantOrNull(key.revokedAt),
    goodUntil: instantOrNull(key.goodUntil),
  };
}
