import type { Call, NewCall } from '../../call.ts';
import type { Entitlement } from '../entitlement.ts';

export type AddOutcome =
  { readonly kind: 'added' } | { readonly kind: 'id taken' } | { readonly kind: 'license taken' };

export type ChangeOutcome =
  | { readonly kind: 'changed' }
  /** The stored revision is not the one that was seen. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'license taken' };

/** What two entitlements cannot share. */
export interface EntitlementKeys<Values> {
  readonly ids: Values;
  /** Of licenses, revoked ones included. */
  readonly digests: Values;
}

/** Entitlements of every product, for the administrator's commands only. */
export interface AllEntitlements {
  find(id: string, call: Call): Promise<Entitlement | null>;

  /** The entitlement that holds the license with this digest, revoked or not. */
  findByLicense(digest: string, call: Call): Promise<Entitlement | null>;

  /**
   * All of them, of one product if one is named, by id in code-point order. Other work goes on between two of them; each
   * part that is read has a call of its own.
   */
  list(productId: string | null, newCall: NewCall): AsyncIterable<Entitlement>;

  /** Adds each, or says why not; the outcomes are in the order of the entitlements. One refusal does not undo the others. */
  add(entitlements: readonly Entitlement[], call: Call): Promise<readonly AddOutcome[]>;

  /** Which of the ids and of the digests an entitlement has. */
  findExisting(keys: EntitlementKeys<readonly string[]>, call: Call): Promise<EntitlementKeys<ReadonlySet<string>>>;

  /** Stores `next` in the place of `seen`, license included, in one atomic write, or nothing at all. */
  change(seen: Entitlement, next: Entitlement, call: Call): Promise<ChangeOutcome>;
}
