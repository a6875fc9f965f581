import type { Call } from '../call.ts';
import { ofEntitlements, type Events, type PlacedEvent } from '../feed/events.port.ts';
import type { DeliveryStream } from '../webhook/stream/delivery-stream.ts';
import { read } from '../webhook/stream/due-deliveries.ts';
import type { OwnReceiver } from './own-receiver.ts';

/** Events of one read of a log. */
const pageSize = 200;

/**
 * Takes what the log has after the position of a stream into it: what its receiver wants is pending, however much that is.
 * Returns the stream that it was given if the log has nothing more, and the events that it has taken.
 */
export async function withUnread(
  events: Pick<Events, 'page'>,
  { wants, sendsState }: Pick<OwnReceiver, 'wants' | 'sendsState'>,
  stored: DeliveryStream,
  call: Call,
): Promise<{ readonly stream: DeliveryStream; readonly taken: readonly PlacedEvent[] }> {
  const taken: PlacedEvent[] = [];
  let stream = stored;
  for (;;) {
    const { events: page } = await events.page(stream.productId, stream.cursor, pageSize, call);
    if (page.length === 0) return { stream, taken };
    const wanted = ofEntitlements(page).filter(({ event }) => wants(event));
    taken.push(...wanted);
    const positions = new Set(wanted.map(({ position }) => position));
    stream = read(stream, page, ({ position }) => positions.has(position), call.now, { sendsState });
  }
}
