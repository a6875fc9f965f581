import type { DeliveryEffect } from './delivery-effect.ts';
import type { Aside, DeliveryStream, PendingEvents } from './delivery-stream.ts';

/**
 * The events of an entitlement that wait for their next attempt or for a person. They are kept apart from their stream, a row
 * each, so that no number of them changes its size, or stops the others.
 */
export interface WaitingDelivery extends PendingEvents {
  /** The effect of the entitlement's last delivery, which a stream has only for its own deliveries. */
  readonly effect: DeliveryEffect | null;
}

/** The changes of events kept apart that are written with a stream. */
export interface AsideChanges {
  /** Done first: everything becomes due at an instant, with all its attempts, or what is parked is left out. */
  readonly all: { readonly kind: 'retry'; readonly at: Date } | { readonly kind: 'skip parked' } | null;
  /** By their subjects (`subjectOf`). */
  readonly put: ReadonlyMap<string, WaitingDelivery>;
  readonly remove: ReadonlySet<string>;
}

export const noChanges: AsideChanges = { all: null, put: new Map(), remove: new Set() };

/** Entitlements that a stream has at once, at most. */
const maxKept = 1000;

/**
 * Takes deliveries that are not due yet out of a stream, and those that are too many for it, but none of `inFlight`.
 * Returns the stream that it was given, and an empty map, if there is nothing to take.
 */
export function setAside(
  stream: DeliveryStream,
  inFlight: Pick<ReadonlySet<string>, 'has'>,
  now: Date,
): { readonly stream: DeliveryStream; readonly put: AsideChanges['put'] } {
  const put = new Map<string, WaitingDelivery>();
  const pending = new Map<string, PendingEvents>();
  const effects = new Map(stream.effects);
  for (const [id, events] of stream.pending) {
    const isDue = events.at !== null && events.at <= now && pending.size < maxKept;
    if (isDue || inFlight.has(id)) pending.set(id, events);
    else {
      put.set(id, { ...events, effect: effects.get(id) ?? null });
      effects.delete(id);
    }
  }
  if (put.size === 0) return { stream, put };
  return { stream: { ...stream, pending, effects, aside: withCounts(stream.aside, put, 1) }, put };
}

/**
 * Puts deliveries that were set aside back into a stream. Those that the stream has of the same entitlement count more.
 */
export function takenBack(stream: DeliveryStream, rows: ReadonlyMap<string, WaitingDelivery>): DeliveryStream {
  const taken = new Map([...rows].filter(([id]) => !stream.pending.has(id)));
  if (taken.size === 0) return stream;
  const pending = new Map(stream.pending);
  const effects = new Map(stream.effects);
  for (const [id, { effect, ...events }] of taken) {
    pending.set(id, events);
    if (effect !== null && !effects.has(id)) effects.set(id, effect);
  }
  return { ...stream, pending, effects, aside: withCounts(stream.aside, taken, -1) };
}

function withCounts(
  { waiting, parked, wakeAt }: Aside,
  rows: ReadonlyMap<string, WaitingDelivery>,
  sign: 1 | -1,
): Aside {
  const all = [...rows.values()];
  const count = (isParked: boolean): number =>
    sign * all.reduce((sum, { at, positions }) => sum + ((at === null) === isParked ? positions.length : 0), 0);
  const instants = sign === 1 ? [...all.map(({ at }) => at), wakeAt] : [wakeAt];
  const times = instants.flatMap((at) => (at === null ? [] : [at.getTime()]));
  return {
    waiting: Math.max(0, waiting + count(false)),
    parked: Math.max(0, parked + count(true)),
    wakeAt: times.length === 0 ? null : new Date(Math.min(...times)),
  };
}

/** The changes that a command on a stream writes: events that wait are set aside, and `read` is what was taken back for it. */
export function afterCommand(
  stream: DeliveryStream,
  read: Iterable<string>,
  now: Date,
): { readonly stream: DeliveryStream; readonly changes: AsideChanges } {
  const { stream: next, put } = setAside(stream, new Set(), now);
  const remove = new Set([...read].filter((id) => !put.has(id)));
  return { stream: next, changes: { all: null, put, remove } };
}

/** Reports whether something that was set aside may be tried now. Of an endpoint that is down, one is if nothing else is. */
export function wakes({ aside, probe, pending }: DeliveryStream, now: Date): boolean {
  if (probe !== null)
    return probe.at <= now && aside.waiting > 0 && [...pending.values()].every(({ at }) => at === null);
  return aside.wakeAt !== null && aside.wakeAt <= now;
}
