import type { MonotonicClock } from '../../call.ts';
import type { DeliveryStream } from './delivery-stream.ts';

/**
 * The lease by which processes share streams. One holds a stream while it delivers. No clock is ever compared with that
 * of another process: the store's fence decides who writes, and each process measures times by its own monotonic clock.
 */

/** The time for which a holder may write nothing before others take its stream over, in milliseconds. */
export const leaseTime = 60_000;

/** The interval at which a holder writes when nothing changes, in milliseconds. */
export const renewalInterval = 10_000;

/** A holder begins no request with less than this left of its lease. No request takes longer, or it is cut off. */
export const leaseReserve = 20_000;

/** A holder cuts off its requests with less than this left of its lease. */
const cutReserve = 5000;

/** The time for which a holder keeps a stream that has nothing to do, in milliseconds. */
export const idleTime = 10_000;

/** Reports whether a holder may begin a request. `renewedAt` is when it sent the last write that succeeded. */
export function mayBegin(renewedAt: number, now: number): boolean {
  return now - renewedAt <= leaseTime - leaseReserve;
}

/** Reports whether a holder must end the requests that are in flight. */
export function mustCut(renewedAt: number, now: number): boolean {
  return now - renewedAt > leaseTime - cutReserve;
}

/** Remembers since when each stream has been seen unchanged, by the key of the stream. */
export class LeaseWatch {
  readonly #clock: MonotonicClock;
  readonly #seen = new Map<string, { readonly fence: number; readonly since: number }>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** Records a stream as it was read. */
  see(key: string, { fence }: DeliveryStream): void {
    if (this.#seen.get(key)?.fence !== fence) this.#seen.set(key, { fence, since: this.#clock() });
  }

  /** Reports whether nobody holds a stream, or its holder has not written for the time of a lease. */
  isFree(key: string, stream: DeliveryStream): boolean {
    const seen = this.#seen.get(key);
    return stream.holder === null || (seen?.fence === stream.fence && this.#clock() - seen.since >= leaseTime);
  }

  /** Forgets the streams whose keys are not among these. */
  keepOnly(streams: ReadonlyMap<string, unknown>): void {
    for (const key of this.#seen.keys()) if (!streams.has(key)) this.#seen.delete(key);
  }
}
