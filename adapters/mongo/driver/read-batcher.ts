import type { Call } from '../../../core/call.ts';
import type { OnBatch } from '../../../core/store/store.port.ts';
import { Deferred } from './deadline.ts';
import { isOutOfReach, isTransient } from './errors.ts';
import { replyTimeout, retryRead } from './retry.ts';
import { Semaphore } from './semaphore.ts';

/** Finds documents by their keys. A key without a document is absent from the result. */
export type FindMany<Found> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>;

type Waiting<Found> = Map<string, Deferred<Found | null>[]>;

/** A larger batch delays every answer in it. */
const maxBatchSize = 500;

/**
 * Sends look-ups of one kind that arrive together as one query, because a query of its own costs the driver five to ten
 * times as much. A look-up joins only a batch that has not been sent, so that it sees everything that was acknowledged
 * before it was asked for. At most two queries are in flight, not counting those that the store leaves unanswered.
 */
export class ReadBatcher<Found> {
  readonly #findMany: FindMany<Found>;
  readonly #onBatch: OnBatch;
  readonly #inFlight = new Semaphore(2);
  #waiting: Waiting<Found> = new Map();
  #isScheduled = false;

  constructor(findMany: FindMany<Found>, onBatch: OnBatch = () => {}) {
    this.#findMany = findMany;
    this.#onBatch = onBatch;
  }

  find(key: string, call: Call): Promise<Found | null> {
    const lookup = new Deferred<Found | null>(call);
    const others = this.#waiting.get(key);
    if (others === undefined) this.#waiting.set(key, [lookup]);
    else others.push(lookup);
    this.#schedule();
    return lookup.promise;
  }

  /** Sends a batch at the end of this turn of the event loop, with everything that arrived in it. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight.isFull || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const batch = this.#nextBatch();
      if (batch.size > 0) {
        this.#onBatch({ kind: 'look-ups', size: batch.size });
        void this.#send(batch);
      }
      this.#schedule();
    });
  }

  #nextBatch(): Waiting<Found> {
    const batch: Waiting<Found> = new Map();
    for (const [key, lookups] of this.#waiting) {
      if (batch.size >= maxBatchSize) break;
      this.#waiting.delete(key);
      if (lookups.some(({ isPending }) => isPending)) batch.set(key, lookups);
    }
    return batch;
  }

  async #send(batch: Waiting<Found>): Promise<void> {
    const release = this.#inFlight.acquire(2 * replyTimeout, () => this.#schedule());
    await this.#settle(batch);
    release();
  }

  async #settle(batch: Waiting<Found>): Promise<void> {
    try {
      const found = await retryRead(() => this.#findMany([...batch.keys()]));
      for (const [key, lookups] of batch) for (const lookup of lookups) lookup.resolve(found.get(key) ?? null);
    } catch (error) {
      if (batch.size > 1 && !isTransient(error) && !isOutOfReach(error)) await this.#settleOneByOne(batch);
      else for (const lookups of batch.values()) for (const lookup of lookups) lookup.reject(error);
    }
  }

  /** Looks each key up in a query of its own, so that a key that the server refuses fails alone. */
  async #settleOneByOne(batch: Waiting<Found>): Promise<void> {
    await Promise.all([...batch].map(([key, lookups]) => this.#settle(new Map([[key, lookups]]))));
  }
}
