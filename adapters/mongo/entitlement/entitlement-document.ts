import type { Entitlement, OneTimePurchase, Subscription } from '../../../core/entitlement/entitlement.ts';
import { maxHistory, type HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import { noFeatures } from '../../../core/tier/features.ts';
import { withoutMoves, type DeviceMove } from '../device/device-document.ts';
import { withoutOutbox } from '../event/event-document.ts';
import type { RecordDocument } from './record-document.ts';

/** The members that release 0.1.0 did not write. Release 0.2.0 has left its documents as they are. */
type AddedMembers = Pick<Entitlement, 'updatesUntil' | 'deviceLimit' | 'devicesUsed' | 'releasesUntil' | 'features'>;

/** The same for a subscription. */
type AddedToSubscriptions = Pick<Subscription, 'anchorDay' | 'unpaidUntil'>;

/** The same for a purchase. */
type AddedToPurchases = Pick<OneTimePurchase, 'accessEndsAt'>;

type WithoutId<T> = T extends Subscription
  ? Omit<T, 'id' | 'unannouncedEnd' | keyof AddedMembers | keyof AddedToSubscriptions> & Partial<AddedToSubscriptions>
  : Omit<T, 'id' | 'unannouncedEnd' | keyof AddedMembers | keyof AddedToPurchases> & Partial<AddedToPurchases>;

/**
 * A document of `entitlements` without its idempotency records and its history: an entitlement under its id, instants as
 * dates.
 */
export type EntitlementDocument = {
  readonly _id: string;
  readonly untoldEnd: Entitlement['unannouncedEnd'];
} & Partial<AddedMembers> &
  WithoutId<Entitlement>;

/** A whole document, with the records that are live, those that have expired but were not removed yet, and the history. */
export type StoredEntitlement = EntitlementDocument & {
  readonly records?: readonly RecordDocument[];
  readonly history?: readonly HistoryDocument[];
  readonly moves?: readonly DeviceMove[];
};

/** The projection of every read of an entitlement: its records may be a hundred times larger than the rest. */
export const withoutLists = { records: 0, history: 0, ...withoutMoves, ...withoutOutbox };

export function toEntitlementDocument({ id, unannouncedEnd, ...facts }: Entitlement): EntitlementDocument {
  return { _id: id, untoldEnd: unannouncedEnd, ...facts };
}

export function fromEntitlementDocument({
  _id,
  untoldEnd: unannouncedEnd,
  ...stored
}: EntitlementDocument): Entitlement {
  const {
    updatesUntil = null,
    deviceLimit = null,
    devicesUsed = 0,
    releasesUntil = null,
    features = noFeatures,
    ...facts
  } = stored;
  const added = { id: _id, unannouncedEnd, updatesUntil, deviceLimit, devicesUsed, releasesUntil, features };
  return facts.kind === 'one_time'
    ? { ...added, accessEndsAt: null, ...facts }
    : { ...added, anchorDay: null, unpaidUntil: null, ...facts };
}

/** An entry in the `history` of its entitlement, which has the oldest first. */
interface HistoryDocument {
  readonly at: Date;
  readonly by: HistoryEntry['by'];
  readonly op: HistoryEntry['operation'];
  /** The correlation id. */
  readonly cid: string;
  readonly v: number;
  /** The reason. Absent for none. */
  readonly why?: NonNullable<HistoryEntry['reason']>;
}

export function toHistoryDocument(entry: HistoryEntry): HistoryDocument {
  const { at, by, operation, correlationId, version, reason } = entry;
  return { at, by, op: operation, cid: correlationId, v: version, ...(reason !== null && { why: reason }) };
}

/** The history of an entitlement, the newest entry first. */
export function fromHistoryDocuments(history: readonly HistoryDocument[] = []): readonly HistoryEntry[] {
  return history
    .slice(-maxHistory)
    .toReversed()
    .map(({ at, by, op, cid, v, why = null }) => ({
      at,
      by,
      operation: op,
      correlationId: cid,
      version: v,
      reason: why,
    }));
}
