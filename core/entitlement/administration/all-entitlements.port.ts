import type { Call } from '../../call.ts';
import type { ReplaceOutcome } from '../../compare-and-set.ts';
import type { Entitlement } from '../entitlement.ts';
import type { ChangeRecord } from '../event/change-record.ts';
import type { HistoryEntry } from '../history-entry.ts';

/** A new entitlement, and the records that are stored with it. */
export interface Addition {
  readonly entitlement: Entitlement;
  readonly changeRecord: ChangeRecord;
}

export interface LicenseTaken {
  readonly kind: 'license taken';
}

export type AddOutcome =
  | { readonly kind: 'added' }
  | { readonly kind: 'id taken' }
  | LicenseTaken
  /** Another entitlement of the product has the reference. */
  | { readonly kind: 'reference taken' };

/** The members that no two entitlements may share. */
export interface EntitlementKeys<Values> {
  readonly ids: Values;
  /** Digests of licenses, revoked ones included. */
  readonly digests: Values;
  /** References with their products, as `referenceKey` writes them. */
  readonly references: Values;
}

/** Writes a product and a reference as one text. Identifiers have no slash, so that the first one separates the two. */
export function referenceKey(productId: string, reference: string): string {
  return `${productId}/${reference}`;
}

/** A part of the list of entitlements. */
export interface EntitlementPart {
  /** Null for the entitlements of every product. */
  readonly productId: string | null;
  /** Null for entitlements with any reference and with none. Needs a product, which has the index of its references. */
  readonly reference: string | null;
  /** Only those whose license shows one of these texts; absent for any. */
  readonly lastFour?: readonly string[] | null;
  /** The id of the last entitlement before the part; null for the first part. */
  readonly after: string | null;
  readonly limit: number;
}

/** The place of an entitlement among all, the newest first. Those of one instant stand by id, the last one first. */
export type PlaceByAge = Pick<Entitlement, 'createdAt' | 'id'>;

/** A part of the list of entitlements, the newest first. */
export interface NewestPart extends Omit<EntitlementPart, 'reference' | 'after'> {
  readonly order: 'newest';
  /** The place of the last entitlement before the part; null for the first part. */
  readonly after: PlaceByAge | null;
}

/** The entitlements of every product. Only the administrator uses it: `Entitlements` keeps merchants apart. */
export interface AllEntitlements {
  find(id: string, call: Call): Promise<Entitlement | null>;

  /** Finds the entitlement whose license has this digest, revoked or not. */
  findByLicense(digest: string, call: Call): Promise<Entitlement | null>;

  /**
   * Lists at most `limit` entitlements after an id, by id in code-point order, or after a place among the newest. An
   * index has each order, so that a part costs as much in a large store as in a small one.
   */
  page(part: EntitlementPart | NewestPart, call: Call): Promise<readonly Entitlement[]>;

  /**
   * Adds each entitlement with its record in one atomic write of its own, or not at all, and returns the outcomes in
   * order. One refusal does not undo the others. Safe to repeat: no entitlement is added twice.
   */
  add(additions: readonly Addition[], call: Call): Promise<readonly AddOutcome[]>;

  /** Returns those of the ids, digests and references that entitlements have. */
  findExisting(keys: EntitlementKeys<readonly string[]>, call: Call): Promise<EntitlementKeys<ReadonlySet<string>>>;

  /**
   * Replaces `seen` by `next`, license included, and stores the record, in one atomic write or not at all. Safe to
   * repeat: a second attempt is `stale`.
   */
  replace(
    seen: Entitlement,
    next: Entitlement,
    changeRecord: ChangeRecord,
    call: Call,
  ): Promise<ReplaceOutcome<LicenseTaken>>;
}

/** Reads what happened to entitlements. The ports that change an entitlement store each entry with its change. */
export interface EntitlementHistory {
  /** Lists the last `maxHistory` entries of an entitlement, the newest first. */
  list(entitlementId: string, call: Call): Promise<readonly HistoryEntry[]>;
}
