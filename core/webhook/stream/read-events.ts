import type { PlacedEvent } from '../../feed/events.port.ts';
import { pendingCount, type DeliveryStream, type PendingEvents } from './delivery-stream.ts';

/** Events that are read from the log at once. */
export const readSize = 50;

/** Nothing more is read while so much is pending. It bounds the size of a stream. */
const maxPositions = 1000;
const maxEntitlements = 100;

/** Reports whether more events may be read from the log. While the endpoint is down, none are. */
export function mayRead(stream: DeliveryStream): boolean {
  return stream.probe === null && pendingCount(stream) < maxPositions && stream.pending.size < maxEntitlements;
}

/** Takes the next events of the log into a stream: those that the endpoint wants are due at once. */
export function read(
  stream: DeliveryStream,
  events: readonly PlacedEvent[],
  isWanted: (event: PlacedEvent) => boolean,
  now: Date,
): DeliveryStream {
  const pending = new Map(stream.pending);
  for (const placed of events.filter(isWanted)) {
    const { id } = placed.event.entitlement;
    pending.set(id, withPosition(pending.get(id), placed.position, now));
  }
  return { ...stream, pending, cursor: events.at(-1)?.position ?? stream.cursor };
}

function withPosition(known: PendingEvents | undefined, position: number, now: Date): PendingEvents {
  if (known === undefined) return { positions: [position], attempt: 0, at: now };
  return { ...known, positions: [...known.positions, position] };
}
