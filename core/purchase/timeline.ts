import type { Actor } from '../call.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import type { ChangeReason, HistoryEntry, HistoryOperation } from '../entitlement/history-entry.ts';
import type { Snapshot } from '../entitlement/snapshot.ts';
import type { PlacedEvent } from '../feed/events.port.ts';
import type { DeliveryStream } from '../webhook/stream/delivery-stream.ts';
import {
  deliveriesOf,
  deliveryByMail,
  deliveryToStripe,
  type EventDelivery,
  type MailDelivery,
  type Receiver,
  type StripeDelivery,
} from './deliveries.ts';

/** One thing that happened to an entitlement: a change, with its event and the deliveries of it. */
export interface TimelineEvent {
  readonly at: Date;
  readonly by: Actor;
  /** Null for the clock. */
  readonly correlationId: string | null;
  /** The version that it has left. */
  readonly version: number;
  /** Null for the clock, and for a change whose entry is no longer kept. */
  readonly operation: HistoryOperation | null;
  /** Why Stripe or the clock has taken access; null for every other change. */
  readonly reason: ChangeReason | null;
  /** Null for a change whose event was not found. */
  readonly event: EntitlementEvent | null;
  readonly deliveries: readonly EventDelivery[];
  /** Null for what Stripe is not asked for. */
  readonly toStripe: StripeDelivery | null;
  /** Null for an event without a mail. */
  readonly byMail: MailDelivery | null;
}

/** The streams of the service's own receivers for a product; null where nothing was sent yet. */
export interface OwnStreams {
  readonly toStripe: DeliveryStream | null;
  readonly byMail: DeliveryStream | null;
}

/**
 * Puts the history of an entitlement and its events into one list, the newest first. Each change has an entry and an
 * event, which have one version; a change by the clock has an event only, and leaves the version as it is. Devices that
 * come and go are left out: they change nothing of what was sold.
 */
export function timelineOf(
  history: readonly HistoryEntry[],
  placedEvents: readonly PlacedEvent[],
  receivers: readonly Receiver[],
  own: OwnStreams = { toStripe: null, byMail: null },
): readonly TimelineEvent[] {
  const events = placedEvents.filter(({ event }) => event.device === null);
  const operations = new Map(history.map(({ version, operation }) => [version, operation]));
  const announced = new Set(
    events.filter(({ event }) => event.by !== 'clock').map(({ event }) => event.entitlement.version),
  );
  const ofEvents = events.map((placed): TimelineEvent => {
    const { event } = placed;
    const { at, by, correlationId, reason } = event;
    const { version } = event.entitlement;
    const operation = by === 'clock' ? null : (operations.get(version) ?? null);
    const deliveries = deliveriesOf(placed, receivers);
    const toStripe = deliveryToStripe(placed, own.toStripe);
    const byMail = deliveryByMail(placed, own.byMail);
    return { at, by, correlationId, version, operation, reason, event, deliveries, toStripe, byMail };
  });
  const ofHistory = history
    .filter(({ version }) => !announced.has(version))
    .map((entry): TimelineEvent => ({ ...entry, event: null, deliveries: [], toStripe: null, byMail: null }));
  return [...ofEvents, ...ofHistory].toSorted(
    (a, b) => b.version - a.version || (b.event?.sequence ?? 0) - (a.event?.sequence ?? 0),
  );
}

/**
 * Restores an entitlement as it was at an earlier version, from what changed since. Returns null if an event of a change
 * since then is missing.
 */
export function snapshotBefore(now: Snapshot, version: number, timeline: readonly TimelineEvent[]): Snapshot | null {
  const since = timeline.filter((entry) => entry.version > version);
  const changes = new Set(since.filter(({ by }) => by !== 'clock').map((entry) => entry.version));
  if (changes.size !== now.version - version || since.some(({ event }) => event === null)) return null;
  // The newest first: the earliest value of each member is the last that is put.
  const previous = since.map(({ event }) => event?.previous ?? {});
  return previous.reduce<Snapshot>((later, values) => ({ ...later, ...values }), { ...now, version });
}
