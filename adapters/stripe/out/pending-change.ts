import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import type { EntitlementHistory } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import type { Events } from '../../../core/feed/events.port.ts';
import type { Maintenance } from '../../../core/maintenance/maintenance.port.ts';
import { newStream, streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { leaseReserve, leaseTime } from '../../../core/webhook/stream/lease.ts';
import { isForType } from '../../../core/webhook/webhook-endpoint.ts';
import type { PendingChange } from '../decision/decision.ts';
import type { ReadPending } from '../look/look.ts';

interface Ports {
  readonly deliveryStreams: Pick<DeliveryStreams, 'find'>;
  readonly entitlementHistory: EntitlementHistory;
  readonly events: Pick<Events, 'page'>;
  readonly maintenance: Pick<Maintenance, 'oldestWaitingEvent'>;
}

/** Events of one read of a log. */
const pageSize = 200;

/**
 * Reads the pending change from the stream of the deliveries to Stripe: it is pending until its delivery is stored. Each of
 * the places where its event can be is read before the one that it moves to, so that none is missed.
 */
export function readPendingChange(ports: Ports): ReadPending {
  return async (entitlement, call) => {
    const asked = await lastAsked(ports, entitlement, call);
    if (asked === null) return null;
    // Some stores give an event its position in the log after the change was stored.
    const waiting = await ports.maintenance.oldestWaitingEvent(call);
    const isWaiting = waiting !== null && waiting <= asked.askedAt;
    const name = streamName(outgoing, entitlement.productId);
    const stream = (await ports.deliveryStreams.find(name, call)) ?? newStream(name, 0);
    const events = [
      ...(await undelivered(ports, stream, entitlement, call)),
      ...(await unread(ports, stream, entitlement, call)),
    ];
    if (!isWaiting && events.length === 0) return null;
    // What Stripe has then may be this cancellation, which is being sent, and not the buyer's.
    if (mayBeInFlight(stream, asked, call) && events.some(isCancellation)) return { ...asked, kind: 'cancel' };
    return { ...asked, askedAt: await afterOwn(ports, stream, entitlement, asked.askedAt, call) };
  };
}

/**
 * Reports whether a delivery that began before the last change was asked for may not have ended, or its end may not be
 * stored. None has without a process that holds the stream, nor once such a process has had the time for both.
 */
function mayBeInFlight({ holder }: DeliveryStream, { askedAt }: PendingChange, { now }: Call): boolean {
  return holder !== null && now.getTime() - askedAt.getTime() <= leaseReserve + leaseTime;
}

/** The last cancellation or resumption that was not Stripe's. */
async function lastAsked(
  { entitlementHistory }: Ports,
  { id }: Entitlement,
  call: Call,
): Promise<PendingChange | null> {
  for (const { operation, by, at } of await entitlementHistory.list(id, call)) {
    if (by === 'stripe') continue;
    if (operation === 'cancellation_scheduled') return { kind: 'cancel', askedAt: at };
    if (operation === 'cancellation_undone') return { kind: 'resume', askedAt: at };
  }
  return null;
}

async function undelivered(
  { events }: Ports,
  { pending }: DeliveryStream,
  { id, productId }: Entitlement,
  call: Call,
): Promise<readonly EntitlementEvent[]> {
  const found: EntitlementEvent[] = [];
  for (const position of pending.get(id)?.positions ?? []) {
    const event = await eventAt(events, productId, position, call);
    if (event !== null && isOurs(event)) found.push(event);
  }
  return found;
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
    found.push(...page.map(({ event }) => event).filter((event) => event.entitlement.id === id && isOurs(event)));
    const end = page.at(-1);
    if (end === undefined) return found;
    after = end.position;
  }
}

async function eventAt(
  events: Ports['events'],
  productId: string,
  position: number,
  call: Call,
): Promise<EntitlementEvent | null> {
  const [placed] = (await events.page(productId, position - 1, 1, call)).events;
  return placed?.position === position ? placed.event : null;
}

/**
 * The instant after which a cancellation at Stripe is the buyer's: that of the resumption, or the end of the request by
 * which a cancellation of ours was sent, which may have come later.
 */
async function afterOwn(
  { events }: Ports,
  { attempts }: DeliveryStream,
  { id, productId }: Entitlement,
  askedAt: Date,
  call: Call,
): Promise<Date> {
  let latest = askedAt;
  for (const { at, durationMs, position, eventId, reason } of attempts) {
    const end = new Date(at.getTime() + durationMs);
    if (end <= latest || !mayHaveArrived(reason ?? '')) continue;
    const event = await eventAt(events, productId, position, call);
    if (event?.id === eventId && event.entitlement.id === id && isCancellation(event)) latest = end;
  }
  return latest;
}

/** Begins the answer of an attempt that failed after Stripe was asked for the change. */
export const unknownEffect = 'update: ';

/** Reports whether Stripe may have carried out the change of an attempt with this answer. */
export function mayHaveArrived(answer: string): boolean {
  return answer === 'sent' || answer.startsWith(unknownEffect);
}

/** Reports whether an event is a cancellation, and no resumption. */
export function isCancellation({ type }: Pick<EntitlementEvent, 'type'>): boolean {
  return type === 'entitlement.cancellation_scheduled';
}

/** Reports whether an event is a change of the cancellation that Stripe does not know. */
export function isOurs({ type, by }: Pick<EntitlementEvent, 'type' | 'by'>): boolean {
  return by !== 'stripe' && isForType(outgoing, type);
}
