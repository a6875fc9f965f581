import { withoutDigest, type LicenseFacts } from '../../license/license.ts';
import type { Entitlement } from '../entitlement.ts';
import { snapshotAt, type Snapshot } from '../snapshot.ts';

/** A snapshot with what only the administrator may see. */
export interface FullSnapshot extends Snapshot {
  readonly reference: string | null;
  /** Null for a purchase. */
  readonly graceUntil: Date | null;
  readonly license: LicenseFacts | null;
}

export function fullSnapshotAt(entitlement: Entitlement, now: Date): FullSnapshot {
  const { reference, license } = entitlement;
  return {
    ...snapshotAt(entitlement, now),
    reference,
    graceUntil: entitlement.kind === 'subscription' ? entitlement.graceUntil : null,
    license: license && withoutDigest(license),
  };
}
