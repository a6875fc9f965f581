import type { Facts } from './facts.ts';

/** What the MongoDB peers read of Latchkey's documents. */
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

/** An entitlement keeps the answers to so many keys. */
export const answersKept = 1000;

export function factsOf({ _id, cancellation, ...facts }: EntitlementDocument): Facts {
  return { ...facts, id: _id, cancelAt: cancellation?.at ?? null, canceledAt: cancellation?.requestedAt ?? null };
}

/** What a cancel or resume sets. */
export function changeOf(operation: string, { currentPeriodEnd, version, revision }: EntitlementDocument, now: Date) {
  return {
    cancellation: operation === 'cancel' ? { at: currentPeriodEnd, requestedAt: now } : null,
    updatedAt: now,
    version: version + 1,
    revision: revision + 1,
  };
}
