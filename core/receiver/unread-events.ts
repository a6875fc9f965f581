import type { Call } from '../call.ts';
import type { Events, PlacedEvent } from '../feed/events.port.ts';
import { subjectOf, type LoggedEvent } from '../feed/logged-event.ts';
import type { DeliveryStream } from '../webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { read } from '../webhook/stream/due-deliveries.ts';
import { takenBack } from '../webhook/stream/set-aside.ts';
import type { OwnReceiver } from './own-receiver.ts';

/** Events of one read of a log. */
const pageSize = 200;

interface Ports {
  readonly events: Pick<Events, 'page'>;
  readonly deliveryStreams: Pick<DeliveryStreams, 'find'>;
}

/**
 * Takes the events of the log after the position of a stream into it: those that its receiver wants are pending,
 * however many they are. Returns the stream that it was given if the log has nothing more, and the events that it has
 * taken.
 */
export async function withUnread(
  { events, deliveryStreams }: Ports,
  { wants, sendsState }: Pick<OwnReceiver, 'wants' | 'sendsState'>,
  stored: DeliveryStream,
  call: Call,
): Promise<{ readonly stream: DeliveryStream; readonly taken: readonly PlacedEvent<LoggedEvent>[] }> {
  const taken: PlacedEvent<LoggedEvent>[] = [];
  let stream = stored;
  for (;;) {
    const { events: page } = await events.page(stream.productId, stream.cursor, pageSize, call);
    if (page.length === 0) return { stream, taken };
    const wanted = page.filter(({ event }) => wants(event));
    taken.push(...wanted);
    const positions = new Set(wanted.map(({ position }) => position));
    const subjects = wanted.map(({ event }) => subjectOf(event));
    stream = read(
      await withAside(deliveryStreams, stream, subjects, call),
      page,
      ({ position }) => positions.has(position),
      call.now,
      { sendsState },
    );
  }
}

/**
 * Takes back what is set aside of these subjects. Another write of the stream may come between; then the fence is another,
 * and a write that follows from it is refused.
 */
async function withAside(
  streams: Pick<DeliveryStreams, 'find'>,
  stream: DeliveryStream,
  subjects: readonly string[],
  call: Call,
): Promise<DeliveryStream> {
  const { aside } = stream;
  const missing = subjects.filter((id) => !stream.pending.has(id));
  if (missing.length === 0 || aside.waiting + aside.parked === 0) return stream;
  const stored = await streams.find(stream, call, missing);
  const rows = missing.flatMap((id) => {
    const events = stored?.pending.get(id);
    return events === undefined ? [] : [[id, { ...events, effect: stored?.effects.get(id) ?? null }] as const];
  });
  return takenBack(stream, new Map(rows));
}
