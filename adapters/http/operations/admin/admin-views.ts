import type { PriceMapping } from '../../../../core/billing/price-map.port.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import type { FullSnapshot } from '../../../../core/entitlement/administration/show-entitlement.ts';
import type { HistoryEntry } from '../../../../core/entitlement/history-entry.ts';
import type { AppKey } from '../../../../core/key/app/app-key.ts';
import type { OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import type { StoredKey } from '../../../../core/key/stored-key.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import type { SigningKeyView } from '../../../../core/receipt/signing-key.ts';
import type { SignUp } from '../../../../core/waitlist/sign-up.ts';
import type { ShownWebhook } from '../../../../core/webhook/show-webhooks.ts';
import type { DeliveryAttempt } from '../../../../core/webhook/stream/delivery-attempt.ts';
import { parkedCount, pendingCount, type DeliveryStream } from '../../../../core/webhook/stream/delivery-stream.ts';
import { shownEndpoint } from '../../../../core/webhook/webhook-endpoint.ts';
import { listingView } from '../listing-views.ts';
import { instantOrNull, snapshotView } from '../views.ts';

// Every member is named here, so that a new one in core shows in no answer by itself.

export function productView({ id, name, createdAt }: Product): object {
  return { id, name, createdAt: createdAt.toISOString() };
}

export function priceView({ price, productId, tierId, tierName }: PriceMapping): object {
  return { price, productId, tierId, tierName };
}

/** An app key as it is kept; the key itself is not. */
export function appKeyView(key: AppKey): object {
  return { id: key.id, productId: key.productId, ...storedView(key) };
}

/** An operator key as it is kept; the key itself is not. */
export function operatorKeyView(key: OperatorKey): object {
  return { id: key.id, name: key.name, ...storedView(key) };
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

export function shownWebhookView({ endpoint, streams }: ShownWebhook): object {
  return { ...shownEndpoint(endpoint), deliveries: streams.map(streamView) };
}

/** The state of the deliveries of one product. */
export function streamView(stream: DeliveryStream): object {
  return {
    productId: stream.productId,
    position: stream.cursor,
    pending: pendingCount(stream),
    parked: parkedCount(stream),
    failingSince: instantOrNull(stream.failingSince),
    nextProbeAt: instantOrNull(stream.probe?.at ?? null),
    deliveredAt: instantOrNull(stream.deliveredAt),
    attempts: stream.attempts.map(attemptView),
  };
}

function attemptView({ at, eventId, status, reason, durationMs }: DeliveryAttempt): object {
  return { at: at.toISOString(), eventId, status, reason, durationMs };
}

function storedView({ lastFour, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: StoredKey): object {
  return {
    lastFour,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: instantOrNull(expiresAt),
    revokedAt: instantOrNull(revokedAt),
    lastUsedAt: instantOrNull(lastUsedAt),
  };
}
