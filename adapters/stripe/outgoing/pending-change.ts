import { isForBilling, outgoing, outgoingPart, type OutgoingPart } from '../../../core/billing/outgoing-stream.ts';
import { eventsAt, parkedChange } from '../../../core/billing/parked-changes.ts';
import type { Call } from '../../../core/call.ts';
import type { EntitlementHistory } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import type { HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import { ofEntitlements, type Events } from '../../../core/feed/events.port.ts';
import type { Maintenance } from '../../../core/maintenance/maintenance.port.ts';
import { newStream, streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { knownMarks } from '../decision/cancellation-mark.ts';
import type { PendingChange } from '../decision/decision.ts';
import type { ReadEffect, ReadPending } from '../look/look.ts';

interface Ports {
  readonly deliveryStreams: Pick<DeliveryStreams, 'find'>;
  readonly entitlementHistory: EntitlementHistory;
  readonly events: Pick<Events, 'page'>;
  readonly maintenance: Pick<Maintenance, 'oldestWaitingEvent'>;
}

/** Reads the known effect of the changes of an entitlement that were sent to Stripe. */
export function readEffect({ deliveryStreams }: Pick<Ports, 'deliveryStreams'>): ReadEffect {
  return async ({ id, productId }, call) => {
    const stream = await deliveryStreams.find(streamName(outgoing, productId), call, [id]);
    return stream?.effects.get(id) ?? null;
  };
}

/** Events of one read of a log. */
const pageSize = 200;

/**
 * Reads the pending change from the stream of the deliveries to Stripe: it is pending until its delivery is stored. Each of
 * the places where its event can be is read before the one that it moves to, so that none is missed.
 */
export function readPendingChange(ports: Ports): ReadPending {
  return async (entitlement, call) => {
    const history = await ports.entitlementHistory.list(entitlement.id, call);
    const asked = lastAsked(history);
    const held = lastHeld(history);
    if (asked === null && held === null) return null;
    // Some stores give an event its position in the log after the change was stored.
    const waiting = await ports.maintenance.oldestWaitingEvent(call);
    const isWaiting = (at: Date): boolean => waiting !== null && waiting <= at;
    const name = streamName(outgoing, entitlement.productId);
    const stream = (await ports.deliveryStreams.find(name, call, [entitlement.id])) ?? newStream(name, 0);
    const left = await undelivered(ports, stream, entitlement, call);
    const events = [...left, ...(await unread(ports, stream, entitlement, call))];
    const cancellations = events.filter((event) => outgoingPart(event) === 'cancellation');
    const isAsked = asked !== null && (isWaiting(asked.askedAt) || cancellations.length > 0);
    const parts = new Set<OutgoingPart>(events.flatMap((event) => outgoingPart(event) ?? []));
    if (isAsked) parts.add('cancellation');
    if (held !== null && isWaiting(held.at)) parts.add(held.part);
    if (parts.size === 0) return null;
    const parked = stream.pending.get(entitlement.id)?.at === null ? parkedChange(left) : null;
    const shared = { parts: [...parts], parked, eventId: cancellations.at(-1)?.id ?? null };
    const effect = stream.effects.get(entitlement.id);
    if (!isAsked)
      return { kind: 'hold', askedAt: held?.at ?? call.now, undoes: [], marks: knownMarks(effect), ...shared };
    const seen = effect?.at ?? null;
    const undoes = [...(seen === null ? [] : [seen]), ...takenOver(cancellations, history)];
    const isKnown = cancellations.some((event) => !isCancellation(event));
    const marks = knownMarks(
      effect,
      cancellations.filter(isCancellation).map(({ id }) => id),
    );
    return { ...asked, kind: isKnown ? asked.kind : 'cancel', undoes, marks, ...shared };
  };
}

type Asked = Pick<PendingChange, 'askedAt'> & { readonly kind: 'cancel' | 'resume' };

/** The last cancellation or resumption that was not Stripe's. */
function lastAsked(history: readonly HistoryEntry[]): Asked | null {
  for (const { operation, by, at } of history) {
    if (by === 'stripe') continue;
    if (operation === 'cancellation_scheduled') return { kind: 'cancel', askedAt: at };
    if (operation === 'cancellation_undone') return { kind: 'resume', askedAt: at };
  }
  return null;
}

/** The last suspension, reinstatement or revocation that was not Stripe's. */
function lastHeld(history: readonly HistoryEntry[]): { readonly at: Date; readonly part: OutgoingPart } | null {
  for (const { operation, by, at } of history) {
    if (by === 'stripe') continue;
    if (operation === 'revoked') return { at, part: 'end' };
    if (operation === 'suspended' || operation === 'reinstated') return { at, part: 'collection' };
  }
  return null;
}

/** When the cancellations were made at Stripe that were taken over from there, and that resumptions undo. */
function takenOver(events: readonly EntitlementEvent[], history: readonly HistoryEntry[]): readonly Date[] {
  return events.flatMap((event) => {
    const { canceledAt } = event.previous;
    if (isCancellation(event) || !canceledAt) return [];
    const earlier = history.filter(({ version }) => version < event.entitlement.version);
    const scheduled = earlier.find(({ operation }) => operation === 'cancellation_scheduled');
    return scheduled === undefined || scheduled.by === 'stripe' ? [canceledAt] : [];
  });
}

async function undelivered(
  { events }: Ports,
  { pending }: DeliveryStream,
  { id, productId }: Entitlement,
  call: Call,
): Promise<readonly EntitlementEvent[]> {
  const found = await eventsAt(events, productId, pending.get(id)?.positions ?? [], call);
  return found.filter(isForBilling);
}

async function unread(
  { events }: Ports,
  { cursor }: DeliveryStream,
  { id, productId }: Entitlement,
  call: Call,
): Promise<readonly EntitlementEvent[]> {
  const found: EntitlementEvent[] = [];
  let after = cursor;
  for (;;) {
    const { events: page } = await events.page(productId, after, pageSize, call);
    const ofPage = ofEntitlements(page).map(({ event }) => event);
    found.push(...ofPage.filter((event) => event.entitlement.id === id && isForBilling(event)));
    const end = page.at(-1);
    if (end === undefined) return found;
    after = end.position;
  }
}

/** Reports whether an event is a cancellation, and no resumption. */
export function isCancellation({ type }: Pick<EntitlementEvent, 'type'>): boolean {
  return type === 'entitlement.cancellation_scheduled';
}
