import type { DeliveryStream, PendingEvents } from './delivery-stream.ts';

/** Makes everything due at once, with all its attempts: what is parked, what waits for a retry, and a probe. */
export function retried(stream: DeliveryStream, now: Date): DeliveryStream {
  const pending = [...stream.pending].map(([id, { positions }]): [string, PendingEvents] => [
    id,
    { positions, attempt: 0, at: now },
  ]);
  return { ...stream, pending: new Map(pending), failing: [], failingSince: null, probe: null };
}

/**
 * Delivers the events after a position again. A position that was not read yet changes nothing, because the events after
 * it are delivered anyway.
 */
export function replayedFrom(stream: DeliveryStream, position: number): DeliveryStream {
  if (position >= stream.cursor) return stream;
  const pending = [...stream.pending].flatMap(([id, known]): [string, PendingEvents][] => {
    const positions = known.positions.filter((one) => one <= position);
    if (positions.length === 0) return [];
    return [[id, { ...known, positions }]];
  });
  return { ...stream, pending: new Map(pending), cursor: position };
}
