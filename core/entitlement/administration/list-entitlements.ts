import type { NewCall } from '../../call.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';
import { snapshotAt, type Snapshot } from '../snapshot.ts';
import type { EntitlementStatus } from '../status.ts';

/** The conditions of a list. A condition that is null holds for every entitlement. */
export interface EntitlementFilter {
  readonly productId: string | null;
  /** The status at the instant of the list. */
  readonly status: EntitlementStatus | null;
  /** The current period ends before this instant. Purchases, which never end, are left out. */
  readonly endsBefore: Date | null;
}

/** Lists entitlements of every product by id in code-point order, all as of the instant of the first call. */
export type ListEntitlements = (filter: EntitlementFilter, newCall: NewCall) => AsyncIterable<Snapshot>;

export function listEntitlements(entitlements: AllEntitlements): ListEntitlements {
  return async function* list(filter, newCall) {
    const { now } = newCall();
    for await (const entitlement of entitlements.list(filter.productId, newCall)) {
      const snapshot = snapshotAt(entitlement, now);
      if (passes(snapshot, filter)) yield snapshot;
    }
  };
}

function passes({ status, currentPeriodEnd }: Snapshot, filter: EntitlementFilter): boolean {
  if (filter.status !== null && filter.status !== status) return false;
  return filter.endsBefore === null || (currentPeriodEnd !== null && currentPeriodEnd < filter.endsBefore);
}
