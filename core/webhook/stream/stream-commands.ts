import type { DeliveryStream, PendingEvents } from './delivery-stream.ts';

/** Makes everything due at once, with all its attempts: what is parked, what waits for a retry, what is set aside, and a probe. */
export function retried(stream: DeliveryStream, now: Date): DeliveryStream {
  const pending = [...stream.pending].map(([id, { positions }]): [string, PendingEvents] => [
    id,
    { positions, attempt: 0, at: now },
  ]);
  const waiting = stream.aside.waiting + stream.aside.parked;
  const aside = { waiting, parked: 0, wakeAt: waiting === 0 ? null : now };
  return { ...stream, pending: new Map(pending), aside, failing: [], failingSince: null, probe: null };
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

/** The events that a skip leaves out of a stream. */
export interface SkippedPart {
  /** The last position that is left out. */
  readonly position: number;
  /** Null for every entitlement. */
  readonly entitlementId: string | null;
}

/**
 * Leaves out the events up to a position. The next event of an entitlement whose first one is left out is due at once,
 * with all its attempts. Events of a single entitlement are left out as far as they were read. Returns the stream that
 * it was given if nothing changes.
 */
export function skippedTo(stream: DeliveryStream, { position, entitlementId }: SkippedPart, now: Date): DeliveryStream {
  const isSkipped = (id: string): boolean => entitlementId === null || id === entitlementId;
  const pending = new Map<string, PendingEvents>();
  const skipped = new Set<string>();
  for (const [id, known] of stream.pending) {
    const positions = known.positions.filter((one) => one > position || !isSkipped(id));
    if (positions.length < known.positions.length) skipped.add(id);
    if (positions.length > 0) pending.set(id, skipped.has(id) ? { positions, attempt: 0, at: now } : known);
  }
  const cursor = entitlementId === null ? Math.max(stream.cursor, position) : stream.cursor;
  if (skipped.size === 0 && cursor === stream.cursor) return stream;
  return { ...withoutFailing(stream, skipped), pending, cursor };
}

/**
 * Leaves out what is parked: of one entitlement, as far as it was taken back, or of all (null), what is set aside included.
 * Returns the stream that it was given if nothing is.
 */
export function withoutParked(stream: DeliveryStream, entitlementId: string | null): DeliveryStream {
  const pending = new Map(stream.pending);
  const skipped = new Set<string>();
  for (const [id, { at }] of stream.pending) {
    if (at !== null || (entitlementId !== null && id !== entitlementId)) continue;
    skipped.add(id);
    pending.delete(id);
  }
  const parked = entitlementId === null ? 0 : stream.aside.parked;
  if (skipped.size === 0 && parked === stream.aside.parked) return stream;
  return { ...withoutFailing(stream, skipped), pending, aside: { ...stream.aside, parked } };
}

/** Forgets that deliveries of these entitlements have failed. */
function withoutFailing(stream: DeliveryStream, ids: ReadonlySet<string>): DeliveryStream {
  const failing = stream.failing.filter((id) => !ids.has(id));
  const failingSince = failing.length === 0 && stream.probe === null ? null : stream.failingSince;
  return { ...stream, failing, failingSince };
}
