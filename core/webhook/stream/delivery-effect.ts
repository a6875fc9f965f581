import { hour } from '../../parsing/duration.ts';

/** The effect of a delivery at a receiver that says when it carries something out, and keeps the mark of the request. */
export type ReceiverEffect =
  /** The receiver is asked to, with a mark. It may do so at any time, once, although its answer is lost. */
  | { readonly kind: 'asked'; readonly mark: string }
  /** It was seen that the receiver has, at an instant of the receiver's clock. Null if that is not known. */
  | { readonly kind: 'seen'; readonly at: Date | null; readonly mark: string | null };

/** The known effect of an entitlement's deliveries. */
export interface DeliveryEffect {
  /** When the receiver has carried out the last one that was seen, by its own clock. Null if none was. */
  readonly at: Date | null;
  /** The mark of the last one that was seen. Null if it had none. */
  readonly mark: string | null;
  /** The marks of those whose outcome was never seen. */
  readonly unseen: readonly string[];
  /** When it was kept, by our clock. */
  readonly keptAt: Date;
}

/** By entitlement, the oldest first. */
export type DeliveryEffects = ReadonlyMap<string, DeliveryEffect>;

/**
 * The time for which effects are kept of entitlements that have nothing pending and nothing unseen, and the maximum
 * number of them in a stream, of about 100 bytes each.
 */
const retention = hour;
const maxEffects = 1000;

interface Keeping {
  readonly effects: DeliveryEffects;
  /** By entitlement. */
  readonly pending: ReadonlyMap<string, unknown>;
}

/** Keeps an effect of an entitlement's deliveries, and drops those that are old or too many. */
export function withEffect(
  { effects, pending }: Keeping,
  entitlementId: string,
  effect: ReceiverEffect,
  now: Date,
): DeliveryEffects {
  const isNeeded = (id: string, { keptAt, unseen }: DeliveryEffect): boolean =>
    unseen.length > 0 || pending.has(id) || isYoung(keptAt, now);
  const others = [...effects].filter(([id, known]) => id !== entitlementId && isNeeded(id, known));
  return new Map([...others.slice(1 - maxEffects), [entitlementId, added(effects.get(entitlementId), effect, now)]]);
}

function added(known: DeliveryEffect | undefined, effect: ReceiverEffect, keptAt: Date): DeliveryEffect {
  const { at = null, mark = null, unseen = [] } = known ?? {};
  const others = unseen.filter((each) => each !== effect.mark);
  switch (effect.kind) {
    case 'asked':
      return { at, mark, unseen: [...others, effect.mark], keptAt };
    case 'seen':
      return { at: effect.at ?? at, mark: effect.mark, unseen: others, keptAt };
  }
}

/** Also true for an instant that is later than the clock, which was set back then. */
function isYoung(keptAt: Date, now: Date): boolean {
  return now.getTime() - keptAt.getTime() < retention;
}

/** An effect as SQLite and MongoDB keep it, as an array because names of members would double its size. */
export type StoredEffect<Instant> = readonly [
  entitlementId: string,
  at: Instant | null,
  keptAt: Instant,
  mark: string | null,
  unseen: readonly string[],
];

/** As release 0.2.0 has stored it, which had no marks: two instants, between which one was carried out. */
type EarlierEffect<Instant> = readonly [entitlementId: string, from: Instant, to: Instant, keptAt: Instant];

export type AnyStoredEffect<Instant> = StoredEffect<Instant> | EarlierEffect<Instant>;

export function storedEffects(effects: DeliveryEffects): readonly StoredEffect<Date>[] {
  return [...effects].map(([id, { at, keptAt, mark, unseen }]) => [id, at, keptAt, mark, unseen]);
}

/** Reads the stored effects. They are absent from streams that have none. */
export function fromStoredEffects(stored: readonly AnyStoredEffect<Date | number>[] = []): DeliveryEffects {
  return new Map(
    stored.map((each) => {
      if (each.length === 4) {
        const [id, from, to, keptAt] = each;
        const isOne = Number(from) === Number(to);
        return [id, { at: isOne ? new Date(from) : null, mark: null, unseen: [], keptAt: new Date(keptAt) }];
      }
      const [id, at, keptAt, mark, unseen] = each;
      return [id, { at: at === null ? null : new Date(at), mark, unseen, keptAt: new Date(keptAt) }];
    }),
  );
}
