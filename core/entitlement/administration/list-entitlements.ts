import type { NewCall } from '../../call.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';
import { snapshotAt, type Snapshot } from '../snapshot.ts';
import type { EntitlementStatus } from '../status.ts';

/** What a list is narrowed to; null narrows nothing. */
export interface EntitlementFilter {
  readonly productId: string | null;
  /** As read now. */
  readonly status: EntitlementStatus | null;
  /** The current period ends before this instant; what never ends does not. */
  readonly endsBefore: Date | null;
}

/** Entitlements of every product as at the instant of the first call, by id in code-point order. */
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
