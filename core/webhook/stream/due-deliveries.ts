import type { PlacedEvent } from '../../feed/events.port.ts';
import { subjectOf, type LoggedEvent } from '../../feed/logged-event.ts';
import type { DeliveryStream, PendingEvents } from './delivery-stream.ts';

/** Requests of a stream that are in flight at the same time. */
export const maxInFlight = 8;

/** An event to deliver now. */
export interface DueDelivery {
  readonly entitlementId: string;
  readonly position: number;
}

/**
 * The deliveries to begin now: for each entitlement the first of its events, so that they arrive in order, and never more
 * than there is room for beside those in flight. An endpoint that is down gets one at a time.
 */
export function due(
  stream: DeliveryStream,
  inFlight: Pick<ReadonlySet<string>, 'has' | 'size'>,
  now: Date,
  room = maxInFlight - inFlight.size,
): readonly DueDelivery[] {
  const { probe } = stream;
  if (probe !== null) return probe.at <= now && inFlight.size === 0 ? waiting(stream, inFlight, null).slice(0, 1) : [];
  return waiting(stream, inFlight, now).slice(0, Math.max(0, room));
}

/** Reports whether the stream has an event to deliver by now, or an endpoint to try again. */
export function hasDue(stream: DeliveryStream, now: Date): boolean {
  return due(stream, new Set(), now).length > 0;
}

/** The first events that wait and are due by an instant, or all of them, in the order of their positions. */
function waiting(
  { pending }: DeliveryStream,
  inFlight: Pick<ReadonlySet<string>, 'has'>,
  by: Date | null,
): readonly DueDelivery[] {
  const found: DueDelivery[] = [];
  for (const [entitlementId, { positions, at }] of pending) {
    const [position] = positions;
    const isDue = at !== null && (by === null || at <= by);
    if (isDue && position !== undefined && !inFlight.has(entitlementId)) found.push({ entitlementId, position });
  }
  return found.toSorted((a, b) => a.position - b.position);
}

/** Events that are read from the log at once. */
export const readSize = 50;

/** Nothing more is read while so much is in the stream. It bounds its size; what waits is set aside and does not count. */
const maxPositions = 1000;

/** Reports whether more events may be read from the log. While the endpoint is down, none are. */
export function mayRead({ pending, probe }: DeliveryStream): boolean {
  return (
    probe === null && [...pending.values()].reduce((sum, { positions }) => sum + positions.length, 0) < maxPositions
  );
}

/** The terms on which a receiver takes events. */
export interface ReadTerms {
  /** Milliseconds after which an event is parked that is read then. Null: at no age. */
  readonly maxAge?: ((event: LoggedEvent) => number) | null | undefined;
  readonly sendsState?: boolean | undefined;
}

/**
 * Takes the next events of the log into a stream: those that the endpoint wants are due at once, or parked if they are
 * older than `maxAge` says. With `sendsState`, a younger event makes older parked ones due: the current state is sent.
 */
export function read(
  stream: DeliveryStream,
  events: readonly PlacedEvent<LoggedEvent>[],
  isWanted: (event: PlacedEvent<LoggedEvent>) => boolean,
  now: Date,
  { maxAge = null, sendsState = false }: ReadTerms = {},
): DeliveryStream {
  const pending = new Map(stream.pending);
  for (const placed of events.filter(isWanted)) {
    const subject = subjectOf(placed.event);
    const isOld = maxAge !== null && now.getTime() - placed.event.at.getTime() > maxAge(placed.event);
    const known = pending.get(subject);
    const next = withPosition(known, placed.position, isOld ? null : now);
    pending.set(subject, sendsState && known?.at === null && !isOld ? { ...next, attempt: 0, at: now } : next);
  }
  return { ...stream, pending, cursor: events.at(-1)?.position ?? stream.cursor };
}

function withPosition(known: PendingEvents | undefined, position: number, at: Date | null): PendingEvents {
  if (known === undefined) return { positions: [position], attempt: 0, at };
  return { ...known, positions: [...known.positions, position] };
}
