import { createHash } from 'node:crypto';

type Instant = Date | number;

/** The facts of a subscription that the peers know, whichever store it came from. */
export interface Facts {
  readonly id: string;
  readonly productId: string;
  readonly standing: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: string;
  readonly currentPeriodStart: Instant;
  readonly currentPeriodEnd: Instant;
  readonly cancelAt: Instant | null;
  readonly canceledAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}

/** The facts of an app key that the peers know. */
export interface AppKey {
  readonly productId: string;
  readonly scopes: readonly string[];
  readonly revokedAt: Instant | null;
}

export interface Change {
  readonly operation: string;
  readonly id: string;
  readonly productId: string;
  /** The idempotency key. */
  readonly key: string;
  readonly correlationId: string;
}

/** The members of Latchkey's documents that the MongoDB peers read. */
export interface EntitlementDocument extends Omit<Facts, 'id' | 'cancelAt' | 'canceledAt' | 'updatedAt'> {
  readonly _id: string;
  readonly currentPeriodEnd: Date;
  readonly cancellation: { readonly at: Date; readonly requestedAt: Date } | null;
  readonly license: { readonly digest: string; readonly revokedAt: Date | null } | null;
  readonly updatedAt: Date;
  readonly revision: number;
  /** The answers that were given, by idempotency key. */
  readonly records?: readonly { readonly key: string; readonly at: Date; readonly body: string }[];
}

export interface AppKeyDocument {
  readonly _id: string;
  readonly productId: string;
  readonly scopes: readonly string[];
  readonly revokedAt: Date | null;
}

/** The maximum number of keys whose answers an entitlement keeps. */
export const answersKept = 1000;

export function factsOf({ _id, cancellation, ...facts }: EntitlementDocument): Facts {
  return { ...facts, id: _id, cancelAt: cancellation?.at ?? null, canceledAt: cancellation?.requestedAt ?? null };
}

/** The members that a cancel or resume sets. */
export function changeOf(operation: string, { currentPeriodEnd, version, revision }: EntitlementDocument, now: Date) {
  return {
    cancellation: operation === 'cancel' ? { at: currentPeriodEnd, requestedAt: now } : null,
    updatedAt: now,
    version: version + 1,
    revision: revision + 1,
  };
}

type Found<T> = T | Promise<T>;

/** The queries of a peer to its store. */
export interface Queries {
  appKey(digest: string): Found<AppKey | null>;
  /** The subscription of a license that is not revoked. */
  licensed(digest: string): Found<Facts | null>;
  entitlement(id: string, productId: string): Found<Facts | null>;
  /** Cancels or resumes, and returns the body of the answer: the first one for a key that has one. */
  change(change: Change): Found<string | null>;
}

/** The answer to a verification. */
export function verified(found: Facts | null): object {
  if (found === null) return { valid: false };
  const { id, productId, standing, tierId, tierName, billingInterval, currentPeriodEnd } = found;
  const entitlement = { id, productId, status: standing, tierId, tierName, billingInterval };
  return { valid: true, entitlement: { ...entitlement, currentPeriodEnd: iso(currentPeriodEnd) } };
}

function snapshot(facts: Facts): object {
  return {
    id: facts.id,
    productId: facts.productId,
    kind: 'subscription',
    status: facts.standing,
    active: true,
    tierId: facts.tierId,
    tierName: facts.tierName,
    billingInterval: facts.billingInterval,
    currentPeriodStart: iso(facts.currentPeriodStart),
    currentPeriodEnd: iso(facts.currentPeriodEnd),
    cancelAtPeriodEnd: facts.cancelAt !== null,
    cancelAt: iso(facts.cancelAt),
    canceledAt: iso(facts.canceledAt),
    endedAt: null,
    allowedActions: facts.cancelAt === null ? ['cancel'] : ['resume'],
    createdAt: iso(facts.createdAt),
    updatedAt: iso(facts.updatedAt),
    version: facts.version,
  };
}

/** The body of the answer to a read or a change. */
export function answerOf(facts: Facts, correlationId: string): string {
  return JSON.stringify({ success: true, data: snapshot(facts), correlationId });
}

/** The digest of the token in an `Authorization` header, or null. */
export function tokenDigestOf(authorization: string | undefined): string | null {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  return token === undefined ? null : digest(token);
}

/** The digest of the license key in a verification request, or null if the body has none. */
export function licenseDigestOf(body: unknown): string | null {
  const { licenseKey } = body as { readonly licenseKey?: unknown };
  if (typeof licenseKey !== 'string' || licenseKey.length < 24 || licenseKey.length > 120) return null;
  return digest(licenseKey.replaceAll('-', ''));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function iso(instant: Instant | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
