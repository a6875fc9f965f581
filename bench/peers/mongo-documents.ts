import type { Facts } from './views.ts';

/** What the MongoDB peers read of Latchkey's documents. */
export interface EntitlementDocument {
  readonly _id: string;
  readonly productId: string;
  readonly standing: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: string;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
  readonly cancellation: { readonly at: Date; readonly requestedAt: Date } | null;
  readonly license: { readonly digest: string; readonly revokedAt: Date | null } | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
  readonly revision: number;
  /** The answers that were given, by idempotency key. */
  readonly records?: readonly AnswerDocument[];
}

export interface AnswerDocument {
  readonly key: string;
  readonly at: Date;
  readonly body: string;
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
  return {
    ...facts,
    id: _id,
    cancelAt: cancellation?.at ?? null,
    canceledAt: cancellation?.requestedAt ?? null,
  };
}

/** What a cancel or resume sets. */
export function changeOf(
  operation: string,
  entitlement: EntitlementDocument,
  now: Date,
): Pick<EntitlementDocument, 'cancellation' | 'updatedAt' | 'version' | 'revision'> {
  return {
    cancellation: operation === 'cancel' ? { at: entitlement.currentPeriodEnd, requestedAt: now } : null,
    updatedAt: now,
    version: entitlement.version + 1,
    revision: entitlement.revision + 1,
  };
}
