import type { Call } from '../../call.ts';
import { withoutDigest, type LicenseFacts } from '../../license/license.ts';
import { Refusal } from '../../refusal.ts';
import { tierIn, withoutTiers, type AllowanceParts, type OwnAllowance, type TierTable } from '../../tier/allowance.ts';
import { unpaidEnd, type Entitlement, type SuspensionCause } from '../entitlement.ts';
import { decisionInstant } from '../event/change-record.ts';
import type { HistoryEntry } from '../history-entry.ts';
import { effectiveAt, type Snapshot } from '../snapshot.ts';
import { causesAt } from '../suspension.ts';
import type { AllEntitlements, EntitlementHistory } from './all-entitlements.port.ts';

/** A snapshot with what only the administrator may see. */
export interface FullSnapshot extends Snapshot {
  readonly reference: string | null;
  /** When access ends by the clock if nothing is paid. Null for a purchase. */
  readonly graceUntil: Date | null;
  readonly license: LicenseFacts | null;
  /** Why access is suspended, or would be without an end; empty if it is not. */
  readonly suspendedBy: readonly SuspensionCause[];
  /** Its own values. The snapshot has the allowance. */
  readonly own: OwnAllowance;
}

export function fullSnapshotAt(entitlement: Entitlement, now: Date, tiers: TierTable = new Map()): FullSnapshot {
  const { reference, license, deviceLimit, features } = entitlement;
  return {
    ...effectiveAt(entitlement, now, tierIn(tiers, entitlement)),
    reference,
    graceUntil: entitlement.kind === 'subscription' ? unpaidEnd(entitlement) : null,
    license: license && withoutDigest(license),
    suspendedBy: causesAt(entitlement, now),
    own: { deviceLimit, features },
  };
}

/** An entitlement as a change of it would be decided on now. */
export function decidedSnapshot(entitlement: Entitlement, { now }: Call, tiers?: TierTable): FullSnapshot {
  return fullSnapshotAt(entitlement, decisionInstant(entitlement, now), tiers);
}

/** Finds an entitlement of any product. Refuses with `entitlement_not_found`. */
export async function existing(
  entitlements: Pick<AllEntitlements, 'find'>,
  id: string,
  call: Call,
): Promise<Entitlement> {
  const entitlement = await entitlements.find(id, call);
  if (entitlement === null) throw new Refusal('entitlement_not_found');
  return entitlement;
}

/**
 * Reads an entitlement of any product. Refuses with `entitlement_not_found`. The merchant's `ReadEntitlement` reads
 * another port, in which the product is part of the look-up.
 */
export type ShowEntitlement = (id: string, call: Call) => Promise<FullSnapshot>;

export function showEntitlement(
  entitlements: AllEntitlements,
  { knownTiers }: Pick<AllowanceParts, 'knownTiers'> = withoutTiers,
): ShowEntitlement {
  return async (id, call) => {
    const entitlement = await existing(entitlements, id, call);
    return decidedSnapshot(entitlement, call, await knownTiers(call));
  };
}

/** Reads who has changed an entitlement: the last 100 changes, the newest first. Refuses with `entitlement_not_found`. */
export type ShowHistory = (id: string, call: Call) => Promise<readonly HistoryEntry[]>;

export function showHistory(entitlements: AllEntitlements, history: EntitlementHistory): ShowHistory {
  return async (id, call) => {
    await existing(entitlements, id, call);
    return history.list(id, call);
  };
}
