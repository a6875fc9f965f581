import type { Call, NewCall } from '../../call.ts';
import type { Entitlement } from '../entitlement.ts';

export type AddOutcome =
  { readonly kind: 'added' } | { readonly kind: 'id taken' } | { readonly kind: 'license taken' };

export type ChangeOutcome =
  | { readonly kind: 'changed' }
  /** The entitlement has been written since it was seen: its revision differs. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'license taken' };

/** The members that no two entitlements may share. */
export interface EntitlementKeys<Values> {
  readonly ids: Values;
  /** Digests of licenses, revoked ones included. */
  readonly digests: Values;
}

/**
 * The entitlements of every product. Only the administrator's commands use it: `Entitlements` keeps merchants apart.
 */
export interface AllEntitlements {
  find(id: string, call: Call): Promise<Entitlement | null>;

  /** Finds the entitlement whose license has this digest, revoked or not. */
  findByLicense(digest: string, call: Call): Promise<Entitlement | null>;

  /**
   * Lists every entitlement, or those of one product, by id in code-point order. Other work goes on between two
   * entitlements; each part that is read has a call of its own.
   */
  list(productId: string | null, newCall: NewCall): AsyncIterable<Entitlement>;

  /** Adds each entitlement by itself, and returns the outcomes in their order. One refusal does not undo the others. */
  add(entitlements: readonly Entitlement[], call: Call): Promise<readonly AddOutcome[]>;

  /** Returns those of the ids and digests that entitlements have. */
  findExisting(keys: EntitlementKeys<readonly string[]>, call: Call): Promise<EntitlementKeys<ReadonlySet<string>>>;

  /** Replaces `seen` by `next`, license included, in one atomic write or not at all. */
  change(seen: Entitlement, next: Entitlement, call: Call): Promise<ChangeOutcome>;
}
