import type { Call, NewCall } from '../call.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import type { Events } from '../feed/events.port.ts';
import { isOfEntitlement } from '../feed/logged-event.ts';
import { everyStream } from '../webhook/stored-streams.ts';
import { parkedCount, type DeliveryStream } from '../webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { outgoing, outgoingChange, type OutgoingChange } from './outgoing-stream.ts';
import type { StripeCases } from './stripe-cases.port.ts';

/** A change that waits to go to the billing system, and that nobody sends by itself any more. */
export interface ParkedChange {
  readonly change: OutgoingChange;
  /** Since when the billing system does not know it. */
  readonly since: Date;
}

/** The last change of one entitlement that was not sent. Null if its events are not for the billing system. */
export function parkedChange(events: readonly EntitlementEvent[]): ParkedChange | null {
  const changes = events.flatMap((event) => {
    const change = outgoingChange(event);
    return change === null ? [] : [{ change, since: event.at }];
  });
  const last = changes.at(-1);
  return last === undefined ? null : { ...last, since: changes[0]?.since ?? last.since };
}

interface Ports {
  readonly deliveryStreams: Pick<DeliveryStreams, 'page' | 'find'>;
  readonly events: Pick<Events, 'page'>;
  readonly stripeCases: Pick<StripeCases, 'find' | 'put' | 'remove'>;
}

/**
 * Stores a case for every entitlement with a change that is parked, unless it has one. The streams of the deliveries say
 * what is parked, so that none is missed if a process ends between the two.
 */
export type RecordParked = (newCall: NewCall, isStopped?: () => boolean) => Promise<void>;

export function recordParked(ports: Ports): RecordParked {
  return async (newCall, isStopped = () => false) => {
    for await (const head of everyStream(ports.deliveryStreams, outgoing.id, newCall)) {
      if (parkedCount(head) === 0) continue;
      const stream = (await ports.deliveryStreams.find(head, newCall(), 'all')) ?? head;
      for (const [id, { at, positions }] of stream.pending) {
        if (isStopped()) return;
        if (at === null) await recordOne(ports, stream, { id, positions }, newCall());
      }
    }
  };
}

async function recordOne(
  { deliveryStreams, events, stripeCases }: Ports,
  stream: DeliveryStream,
  { id, positions }: { readonly id: string; readonly positions: readonly number[] },
  call: Call,
): Promise<void> {
  const known = await stripeCases.find(id, call);
  if (known.some(({ kind }) => kind === 'not_sent')) return;
  const parked = parkedChange(await eventsAt(events, stream.productId, positions, call));
  if (parked === null) return;
  await stripeCases.put({ id, kind: 'not_sent', detail: null, charge: null, ...parked }, call);
  // It may have been sent since the stream was read, and looked at already.
  const now = await deliveryStreams.find(stream, call, [id]);
  if (now?.pending.get(id)?.at !== null) await stripeCases.remove(id, ['not_sent'], call);
}

/** The events at some positions of a log, apart from those that it no longer keeps. */
export async function eventsAt(
  events: Pick<Events, 'page'>,
  productId: string,
  positions: readonly number[],
  call: Call,
): Promise<readonly EntitlementEvent[]> {
  const found: EntitlementEvent[] = [];
  for (const position of positions) {
    const [placed] = (await events.page(productId, position - 1, 1, call)).events;
    if (placed?.position === position && isOfEntitlement(placed.event)) found.push(placed.event);
  }
  return found;
}
