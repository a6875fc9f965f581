import type { Document } from 'mongodb';
import { placeId, type ArchivedEvent } from '../../../core/copy/archive.port.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { snapshotFrom, type Snapshot } from '../../../core/entitlement/snapshot.ts';
import type { PlacedEvent } from '../../../core/feed/events.port.ts';
import { isOfEntitlement, type LoggedEvent } from '../../../core/feed/logged-event.ts';
import { hasFeatures, noFeatures } from '../../../core/tier/features.ts';
import {
  fromSaleLogEntry,
  toSaleLogEntry,
  type SaleLogEntry,
  type SaleOutboxEntry,
} from '../affiliate/sale-document.ts';
import {
  fromStatementLogEntry,
  toStatementLogEntry,
  type StatementLogEntry,
  type StatementOutboxEntry,
} from '../affiliate/statement-document.ts';
import type { DeviceMove } from '../device/device-document.ts';
import {
  fromTierLogEntry,
  tierKey,
  toTierOutboxEntry,
  type TierLogEntry,
  type TierOutboxEntry,
} from '../tier/tier-document.ts';
import { holderOf } from './event-holders.ts';

/**
 * An event in the `outbox` of its entitlement, where it waits for its position. Short names keep it small, because each
 * change writes one. The facts of the entitlement that never change are added when it is moved.
 */
export interface OutboxEntry {
  readonly id: string;
  readonly type: EntitlementEvent['type'];
  /** `storedAt`: when it was stored. For an event of the clock, that is later than `at`. */
  readonly told: Date;
  readonly at: Date;
  /** The sequence. */
  readonly n: number;
  readonly by: EntitlementEvent['by'];
  /** The correlation id. */
  readonly cid: string | null;
  /** The previous values. */
  readonly was: EntitlementEvent['previous'];
  readonly license: EntitlementEvent['license'];
  /** Absent if it is null. */
  readonly ending?: EntitlementEvent['ending'];
  /** Absent if it is null. */
  readonly device?: EntitlementEvent['device'];
  /** The reason. Absent if it is null. */
  readonly why?: EntitlementEvent['reason'];
  readonly status: Snapshot['status'];
  readonly tier: string;
  readonly name: string;
  readonly term: Snapshot['billingInterval'];
  /** The interval count. Absent for 1. */
  readonly times?: number;
  /** The device limit and the devices used. Absent for no limit and none. */
  readonly seats?: number;
  readonly used?: number;
  /** The allowed features, and the revision of the tier. Absent where the event does not show them, and for none. */
  readonly features?: Snapshot['features'];
  readonly rev?: number;
  readonly start: Date;
  readonly end: Date | null;
  readonly cancel: Date | null;
  readonly asked: Date | null;
  readonly ended: Date | null;
  /** When the access of a purchase ends, and until when there are updates. Absent for null. */
  readonly until?: Date;
  readonly updates?: Date;
  readonly updated: Date;
  readonly v: number;
}

/** An event in the log, with what an outbox entry leaves out: the entitlement, its kind and when it was made. */
export interface LogEntry extends OutboxEntry {
  readonly of: string;
  readonly kind: Snapshot['kind'];
  readonly made: Date;
}

/** Any event in the log. */
export type AnyLogEntry = LogEntry | TierLogEntry | SaleLogEntry | StatementLogEntry;

/** A document of `events`: events of one product with consecutive positions. Its id is the place of the first. */
export interface BatchDocument {
  readonly _id: string;
  readonly productId: string;
  /** The positions of the first and the last event. */
  readonly first: number;
  readonly last: number;
  /** `storedAt`: when the batch was stored. */
  readonly told: Date;
  readonly events: readonly AnyLogEntry[];
}

/** The members of an entitlement that the relay reads. */
export interface WaitingEntitlement {
  readonly _id: string;
  readonly productId: string;
  readonly kind: Snapshot['kind'];
  readonly createdAt: Date;
  readonly outbox: readonly OutboxEntry[];
  /** The changes of its devices that were not carried out yet. */
  readonly moves?: readonly DeviceMove[];
}

/** The members of a tier that the relay reads. */
export interface WaitingTier {
  readonly _id: string;
  readonly productId: string;
  readonly outbox: readonly TierOutboxEntry[];
}

/** The members of a sale that the relay reads. Its id is the subject of its event. */
export interface WaitingSale {
  readonly _id: string;
  readonly productId: string;
  readonly outbox: readonly SaleOutboxEntry[];
}

/** The members of a statement that the relay reads. Its id is the subject of its events. */
export interface WaitingStatement {
  readonly _id: string;
  readonly productId: string;
  readonly outbox: readonly StatementOutboxEntry[];
}

/** A document with events that wait. */
export type Waiting = WaitingEntitlement | WaitingTier | WaitingSale | WaitingStatement;

export function isWaitingEntitlement(waiting: Waiting): waiting is WaitingEntitlement {
  return holderOf(waiting._id).collection === 'entitlements';
}

/** Leaves the events that wait out of a read. A document that is written must not contain them: they would be moved twice. */
export const withoutOutbox = { outbox: 0 };

/** The filter for all batches of a product: after a space comes the exclamation mark. */
export function batchesOf(productId: string): Document {
  return { _id: { $gt: `${productId} `, $lt: `${productId}!` } };
}

/** The expression for the outbox of an entitlement with these events added. */
export function outboxWith(events: readonly EntitlementEvent[], now: Date): Document | string {
  if (events.length === 0) return '$outbox';
  return { $concatArrays: [{ $ifNull: ['$outbox', []] }, { $literal: toOutbox(events, now) }] };
}

export function toOutbox(events: readonly EntitlementEvent[], now: Date): readonly OutboxEntry[] {
  return events.map((event) => toOutboxEntry(event, now));
}

/** The batch of one event that a copy stores. */
export function toBatchOfOne({ productId, position, storedAt, event }: ArchivedEvent): BatchDocument {
  return newBatch({ productId, first: position, told: storedAt, events: [toLogEntry(event, storedAt)] });
}

function toLogEntry(event: LoggedEvent, told: Date): AnyLogEntry {
  if (event.type === 'tier.changed')
    return { ...toTierOutboxEntry(event, told), of: tierKey(event.productId, event.tierId) };
  if (event.type === 'sale.attributed') return toSaleLogEntry(event, told);
  if (!isOfEntitlement(event)) return toStatementLogEntry(event, told);
  const { id: of, kind, createdAt: made } = event.entitlement;
  return { ...toOutboxEntry(event, told), of, kind, made };
}

/** A batch, which is not empty. */
export function newBatch(facts: Omit<BatchDocument, '_id' | 'last'>): BatchDocument {
  const { productId, first, events } = facts;
  return { _id: placeId(productId, first), ...facts, last: first + events.length - 1 };
}

/** The entries of the log for the first `limit` events that wait. */
export function toLogEntries(waiting: Waiting, limit: number): readonly AnyLogEntry[] {
  const { _id: of } = waiting;
  if (!isWaitingEntitlement(waiting)) {
    const entries: readonly (TierOutboxEntry | SaleOutboxEntry | StatementOutboxEntry)[] = waiting.outbox;
    return entries.slice(0, limit).map((entry) => ({ ...entry, of }));
  }
  const { kind, createdAt: made, outbox } = waiting;
  return outbox.slice(0, limit).map((entry) => ({ ...entry, of, kind, made }));
}

export function fromLogEntry(entry: AnyLogEntry, productId: string, position: number): PlacedEvent<LoggedEvent> {
  return { position, event: fromEntry(entry, productId) };
}

function fromEntry(entry: AnyLogEntry, productId: string): LoggedEvent {
  if (entry.type === 'tier.changed') return fromTierLogEntry(entry, productId);
  if (entry.type === 'sale.attributed') return fromSaleLogEntry(entry, productId);
  return 'kind' in entry ? fromEntitlementEntry(entry, productId) : fromStatementLogEntry(entry, productId);
}

function fromEntitlementEntry(entry: LogEntry, productId: string): EntitlementEvent {
  const { id, type, at, n, by, cid, was, license, ending = null, device = null, why: reason = null } = entry;
  const entitlement = snapshotFrom({
    id: entry.of,
    productId,
    kind: entry.kind,
    status: entry.status,
    tierId: entry.tier,
    tierName: entry.name,
    billingInterval: entry.term,
    billingIntervalCount: entry.times ?? 1,
    currentPeriodStart: entry.start,
    currentPeriodEnd: entry.end,
    cancelAt: entry.cancel,
    canceledAt: entry.asked,
    endedAt: entry.ended,
    accessEndsAt: entry.until ?? null,
    updatesUntil: entry.updates ?? null,
    deviceLimit: entry.seats ?? null,
    devicesUsed: entry.used ?? 0,
    features: entry.features ?? noFeatures,
    tierRevision: entry.rev ?? null,
    createdAt: entry.made,
    updatedAt: entry.updated,
    version: entry.v,
  });
  return {
    id,
    type,
    at,
    sequence: n,
    by,
    correlationId: cid,
    previous: was,
    entitlement,
    license,
    ending,
    device,
    reason,
  };
}

function toOutboxEntry(event: EntitlementEvent, told: Date): OutboxEntry {
  const { id, type, at, sequence, by, correlationId, previous, license, ending, device, reason, entitlement } = event;
  return {
    id,
    type,
    told,
    at,
    n: sequence,
    by,
    cid: correlationId,
    was: previous,
    license,
    ...(ending && { ending }),
    ...(device && { device }),
    ...(reason && { why: reason }),
    status: entitlement.status,
    tier: entitlement.tierId,
    name: entitlement.tierName,
    term: entitlement.billingInterval,
    ...(entitlement.billingIntervalCount !== 1 && { times: entitlement.billingIntervalCount }),
    ...(entitlement.deviceLimit !== null && { seats: entitlement.deviceLimit }),
    ...(entitlement.devicesUsed !== 0 && { used: entitlement.devicesUsed }),
    ...(hasFeatures(entitlement.features) && { features: entitlement.features }),
    ...(entitlement.tierRevision !== null && { rev: entitlement.tierRevision }),
    start: entitlement.currentPeriodStart,
    end: entitlement.currentPeriodEnd,
    cancel: entitlement.cancelAt,
    asked: entitlement.canceledAt,
    ended: entitlement.endedAt,
    ...(entitlement.accessEndsAt && { until: entitlement.accessEndsAt }),
    ...(entitlement.updatesUntil && { updates: entitlement.updatesUntil }),
    updated: entitlement.updatedAt,
    v: entitlement.version,
  };
}
