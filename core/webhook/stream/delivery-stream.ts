import type { DeliveryAttempt } from './delivery-attempt.ts';
import type { DeliveryEffects } from './delivery-effect.ts';

/** The events of one entitlement that were read from the log and not delivered yet. */
export interface PendingEvents {
  /** In order, never empty. */
  readonly positions: readonly number[];
  /** The number of failures of the first of them. */
  readonly attempt: number;
  /** When the first of them is due. Null if it is parked: it has failed for the last time, and waits for a manual retry. */
  readonly at: Date | null;
}

/** The attempts on an endpoint that is down. */
export interface Probe {
  /** The number of failures. */
  readonly attempt: number;
  readonly at: Date;
}

/** The events that are kept apart from a stream. */
export interface Aside {
  /** Events that wait for their next attempt. */
  readonly waiting: number;
  /** Events that wait for a person. */
  readonly parked: number;
  /** None of them is due before; null if none waits for an attempt. */
  readonly wakeAt: Date | null;
}

export const nothingAside: Aside = { waiting: 0, parked: 0, wakeAt: null };

/**
 * The deliveries of one product's events to one endpoint. Its size does not depend on how far it is behind, nor on how many
 * deliveries fail: a position in the log, and the few events that are due. Those that wait are kept apart from it.
 */
export interface DeliveryStream {
  readonly endpointId: string;
  /** The addition of the endpoint that the stream was made for. */
  readonly addition: string;
  readonly productId: string;
  /** The position up to which the log was read. */
  readonly cursor: number;
  /** By their subjects (`subjectOf`). */
  readonly pending: ReadonlyMap<string, PendingEvents>;
  readonly aside: Aside;
  /** Entitlements of which a delivery has failed since the last success: at most `failingWhenDown`. */
  readonly failing: readonly string[];
  /** The first failure since the last success. */
  readonly failingSince: Date | null;
  /** Not null while the endpoint is down. */
  readonly probe: Probe | null;
  readonly deliveredAt: Date | null;
  /** The last `maxAttempts` requests, the last to end first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Of a receiver that dates what it does. */
  readonly effects: DeliveryEffects;
  /** The process that delivers; null if there is nothing to do. */
  readonly holder: string | null;
  /**
   * Grows with every write. A write needs the fence that its process has read, so that the writes of two processes
   * never mix.
   */
  readonly fence: number;
}

/** The name of a stream. */
export type StreamName = Pick<DeliveryStream, 'endpointId' | 'addition' | 'productId'>;

/** Names the stream of an endpoint and a product. */
export function streamName(
  { id, addition }: { readonly id: string; readonly addition: string },
  productId: string,
): StreamName {
  return { endpointId: id, addition, productId };
}

/** The key of a stream in maps and stores. No identifier has a slash. */
export function keyOf({ endpointId, addition, productId }: StreamName): string {
  return addition === '' ? `${endpointId}/${productId}` : `${endpointId}/${addition}/${productId}`;
}

/** Entitlements that must fail one after the other before the endpoint counts as down. */
export const failingWhenDown = 5;

/** Reports whether enough entitlements fail for the receiver to count as down. */
export function isDown({ probe, failing }: Pick<DeliveryStream, 'probe' | 'failing'>): boolean {
  return probe !== null || failing.length === failingWhenDown;
}

/** A stream of the events after a position. */
export function newStream({ endpointId, addition, productId }: StreamName, cursor: number): DeliveryStream {
  return {
    endpointId,
    addition,
    productId,
    cursor,
    pending: new Map(),
    aside: nothingAside,
    failing: [],
    failingSince: null,
    probe: null,
    deliveredAt: null,
    attempts: [],
    effects: new Map(),
    holder: null,
    fence: 1,
  };
}

/** The first position that has not been delivered, apart from what is kept apart. The log must keep it and all after it. */
export function firstNeeded({ cursor, pending }: Pick<DeliveryStream, 'cursor' | 'pending'>): number {
  return [...pending.values()].reduce((first, { positions }) => Math.min(first, ...positions), cursor + 1);
}

/** The number of events that were read and not delivered. */
export function pendingCount({ pending, aside }: Pick<DeliveryStream, 'pending' | 'aside'>): number {
  return [...pending.values()].reduce((sum, { positions }) => sum + positions.length, aside.waiting + aside.parked);
}

/** The number of events that wait for a manual retry, with those of their entitlements after them. */
export function parkedCount({ pending, aside }: Pick<DeliveryStream, 'pending' | 'aside'>): number {
  return [...pending.values()].reduce(
    (sum, { positions, at }) => sum + (at === null ? positions.length : 0),
    aside.parked,
  );
}
