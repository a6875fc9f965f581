import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import type { EntitlementHistory } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import type { Events } from '../../../core/feed/events.port.ts';
import type { Maintenance } from '../../../core/maintenance/maintenance.port.ts';
import { newStream, streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
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
    if (waiting !== null && waiting <= asked.askedAt) return asked;
    const name = streamName(outgoing, entitlement.productId);
    const stream = (await ports.deliveryStreams.find(name, call)) ?? newStream(name, 0);
    const isPending =
      (await hasUndelivered(ports, stream, entitlement, call)) || (await hasUnread(ports, stream, entitlement, call));
    return isPending ? asked : null;
  };
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

async function hasUndelivered(
  { events }: Ports,
  { pending }: DeliveryStream,
  { id, productId }: Entitlement,
  call: Call,
): Promise<boolean> {
  for (const position of pending.get(id)?.positions ?? []) {
    const [placed] = (await events.page(productId, position - 1, 1, call)).events;
    if (placed?.position === position && isOurs(placed.event)) return true;
  }
  return false;
}

async function hasUnread(
  { events }: Ports,
  { cursor }: DeliveryStream,
  { id, productId }: Entitlement,
  call: Call,
): Promise<boolean> {
  let after = cursor;
  for (;;) {
    const { events: page } = await events.page(productId, after, pageSize, call);
    if (page.some(({ event }) => event.entitlement.id === id && isOurs(event))) return true;
    const end = page.at(-1);
    if (end === undefined) return false;
    after = end.position;
  }
}

/** Reports whether an event is a change of the cancellation that Stripe does not know. */
export function isOurs({ type, by }: Pick<EntitlementEvent, 'type' | 'by'>): boolean {
  return by !== 'stripe' && isForType(outgoing, type);
}
