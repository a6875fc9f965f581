import { channel } from 'node:diagnostics_channel';
import { batchChannel, type Batch } from '../../../core/store/batch.ts';
import type { Call } from '../../../core/call.ts';
import { retryRead, patience } from './retry-read.ts';
import { Caller } from './deadline.ts';
import { isOutOfReach, isTransient } from './errors.ts';
import { Semaphore } from './semaphore.ts';

const batches = channel(batchChannel);

/** Asks the store for many keys at once; keys without a document are absent from the answer. */
export type Ask<Found> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>;

type Waiting<Found> = Map<string, Caller<Found | null>[]>;

/** More at once would let the others wait for the size of the answer. */
const largest = 500;

/**
 * Look-ups of one kind that arrive while others are under way leave together as one query: alone, each costs the
 * driver five to ten times as much. A look-up joins only a batch that has not been sent, so that what it finds was in
 * the store after it was asked for. At most two are under way; one that the store does not answer gives up its slot.
 */
export class ReadBatcher<Found> {
  readonly #ask: Ask<Found>;
  readonly #slots = new Semaphore(2);
  #waiting: Waiting<Found> = new Map();
  #scheduled = false;

  constructor(ask: Ask<Found>) {
    this.#ask = ask;
  }

  find(key: string, call: Call): Promise<Found | null> {
    const caller = new Caller<Found | null>(call);
    const others = this.#waiting.get(key);
    if (others === undefined) this.#waiting.set(key, [caller]);
    else others.push(caller);
    this.#schedule();
    return caller.answer;
  }

  /** Sends at the end of this turn of the event loop, with all that arrived in it. */
  #schedule(): void {
    if (this.#scheduled || this.#slots.areTaken || this.#waiting.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const batch = this.#take();
      if (batch.size > 0 && batches.hasSubscribers)
        batches.publish({ kind: 'look-ups', size: batch.size } satisfies Batch);
      if (batch.size > 0) void this.#send(batch);
      this.#schedule();
    });
  }

  #take(): Waiting<Found> {
    const batch: Waiting<Found> = new Map();
    for (const [key, callers] of this.#waiting) {
      if (batch.size >= largest) break;
      this.#waiting.delete(key);
      if (callers.some(({ waits }) => waits)) batch.set(key, callers);
    }
    return batch;
  }

  async #send(batch: Waiting<Found>): Promise<void> {
    const giveBack = this.#slots.take(2 * patience, () => this.#schedule());
    await this.#answer(batch);
    giveBack();
  }

  async #answer(batch: Waiting<Found>): Promise<void> {
    try {
      const found = await retryRead(() => this.#ask([...batch.keys()]));
      for (const [key, callers] of batch) for (const caller of callers) caller.tell(found.get(key) ?? null);
    } catch (error) {
      if (batch.size > 1 && !isTransient(error) && !isOutOfReach(error)) await this.#answerEachAlone(batch);
      else for (const callers of batch.values()) for (const caller of callers) caller.refuse(error);
    }
  }

  /** What is wrong with one key is no matter of the others. */
  async #answerEachAlone(batch: Waiting<Found>): Promise<void> {
    await Promise.all([...batch].map(([key, callers]) => this.#answer(new Map([[key, callers]]))));
  }
}
