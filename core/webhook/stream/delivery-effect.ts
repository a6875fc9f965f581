import { hour } from '../../parsing/duration.ts';

/**
 * When a receiver carried out a delivery, by the receiver's own clock: from one instant to another, which are the same if it
 * has said so.
 */
export interface ReceiverTime {
  readonly from: Date;
  readonly to: Date;
}

/** The last delivery of an entitlement that the receiver has dated, or may have carried out without an answer. */
export interface DeliveryEffect extends ReceiverTime {
  /** When it was kept, by our clock. */
  readonly keptAt: Date;
}

/** By entitlement, the oldest first. */
export type DeliveryEffects = ReadonlyMap<string, DeliveryEffect>;

/** How long effects are kept of entitlements for which nothing is pending, and how many of a stream, of about 60 bytes each. */
const retention = hour;
const maxEffects = 1000;

interface Keeping {
  readonly effects: DeliveryEffects;
  /** By entitlement. */
  readonly pending: ReadonlyMap<string, unknown>;
}

/** Keeps the effect of an entitlement's last delivery, and drops those that are old or too many. */
export function withEffect(
  { effects, pending }: Keeping,
  entitlementId: string,
  { from, to }: ReceiverTime,
  now: Date,
): DeliveryEffects {
  const isNeeded = (id: string, keptAt: Date): boolean => pending.has(id) || isYoung(keptAt, now);
  const others = [...effects].filter(([id, { keptAt }]) => id !== entitlementId && isNeeded(id, keptAt));
  return new Map([...others.slice(1 - maxEffects), [entitlementId, { from, to, keptAt: now }]]);
}

/** Also true for an instant that is later than the clock, which was set back then. */
function isYoung(keptAt: Date, now: Date): boolean {
  return now.getTime() - keptAt.getTime() < retention;
}

/** An effect as SQLite and MongoDB keep it, as an array because names of members would double its size. */
export type StoredEffect<Instant> = readonly [entitlementId: string, from: Instant, to: Instant, keptAt: Instant];

export function storedEffects(effects: DeliveryEffects): readonly StoredEffect<Date>[] {
  return [...effects].map(([id, { from, to, keptAt }]) => [id, from, to, keptAt]);
}

/** Reads what is stored. It is absent from streams of earlier releases. */
export function fromStoredEffects(stored: readonly StoredEffect<Date | number>[] = []): DeliveryEffects {
  return new Map(
    stored.map(([id, from, to, keptAt]) => [id, { from: new Date(from), to: new Date(to), keptAt: new Date(keptAt) }]),
  );
}
