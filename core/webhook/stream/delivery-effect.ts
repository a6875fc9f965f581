import { hour } from '../../parsing/duration.ts';

/**
 * When a receiver carried out a delivery, by the receiver's own clock: from one instant to another, which are the same if it
 * has said so.
 */
export interface ReceiverTime {
  readonly from: Date;
  readonly to: Date;
}

/** What is kept of a request before it is sent, and of its answer. */
export interface KeptEffect extends ReceiverTime {
  /** The idempotency key of a request without an answer, which may be carried out yet. */
  readonly unanswered?: string | undefined;
}

/** The last delivery of an entitlement that the receiver has dated, or may have carried out without an answer. */
export interface DeliveryEffect extends KeptEffect {
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

/** Keeps the effect of an entitlement's last delivery, or none (null), and drops those that are old or too many. */
export function withEffect(
  { effects, pending }: Keeping,
  entitlementId: string,
  effect: KeptEffect | null,
  now: Date,
): DeliveryEffects {
  const isNeeded = (id: string, keptAt: Date): boolean => pending.has(id) || isYoung(keptAt, now);
  const others = [...effects].filter(([id, { keptAt }]) => id !== entitlementId && isNeeded(id, keptAt));
  if (effect === null) return new Map(others);
  return new Map([...others.slice(1 - maxEffects), [entitlementId, { ...timeAndKey(effect), keptAt: now }]]);
}

function timeAndKey({ from, to, unanswered }: KeptEffect): KeptEffect {
  return { from, to, ...(unanswered !== undefined && { unanswered }) };
}

/** Also true for an instant that is later than the clock, which was set back then. */
function isYoung(keptAt: Date, now: Date): boolean {
  return now.getTime() - keptAt.getTime() < retention;
}

/**
 * An effect as SQLite and MongoDB keep it, as an array because names of members would double its size. The key is absent if
 * the request was answered, and in streams of earlier releases.
 */
export type StoredEffect<Instant> = readonly [
  entitlementId: string,
  from: Instant,
  to: Instant,
  keptAt: Instant,
  unanswered?: string,
];

export function storedEffects(effects: DeliveryEffects): readonly StoredEffect<Date>[] {
  return [...effects].map(([id, { from, to, keptAt, unanswered }]) =>
    unanswered === undefined ? [id, from, to, keptAt] : [id, from, to, keptAt, unanswered],
  );
}

/** Reads what is stored. It is absent from streams of earlier releases. */
export function fromStoredEffects(stored: readonly StoredEffect<Date | number>[] = []): DeliveryEffects {
  return new Map(
    stored.map(([id, from, to, keptAt, unanswered]) => [
      id,
      { ...timeAndKey({ from: new Date(from), to: new Date(to), unanswered }), keptAt: new Date(keptAt) },
    ]),
  );
}
