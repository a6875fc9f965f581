import type { Call } from '../../call.ts';
import type { ReplaceOutcome } from '../../compare-and-set.ts';
import type { Addition, AddOutcome } from '../administration/all-entitlements.port.ts';
import type { Entitlement } from '../entitlement.ts';
import type { ChangeRecord } from '../event/change-record.ts';

/** A change of an entitlement that was read, with its record. */
export interface Replacement {
  readonly seen: Entitlement;
  readonly next: Entitlement;
  readonly changeRecord: ChangeRecord;
}

/** Licenses that go from one entitlement to another. */
export interface LicenseMoves {
  /**
   * Stores both changed entitlements, with their records, in one atomic write or not at all. A store whose writes have
   * one entitlement stores `from` first: if it is interrupted, or finds `to` changed, `movedAway` of `from` names the
   * missing half, and no entitlement has the key.
   */
  move(
    from: Replacement,
    to: Replacement | Addition,
    call: Call,
  ): Promise<ReplaceOutcome<Exclude<AddOutcome, { readonly kind: 'added' }>>>;
}
