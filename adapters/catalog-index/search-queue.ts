import type { Deadline } from '../../core/call.ts';
import { Refusal } from '../../core/refusal.ts';
import type { TimeSlices } from './time-slices.ts';

export interface SearchQueueLimits {
  /** Searches that run at once, in turns: some, so that a short search can pass a long one. Each holds arrays in memory. */
  readonly running: number;
  /** Searches that wait for their turn. */
  readonly waiting: number;
}

const defaultLimits: SearchQueueLimits = { running: 2, waiting: 1000 };

interface WaitingSearch {
  readonly deadline: Deadline;
  /** The time left below which it is too late to begin, in milliseconds. */
  readonly latestStart: number;
  /** Resolves when the search has settled. */
  readonly start: () => Promise<void>;
  readonly refuse: () => void;
}

/**
 * Runs searches first come, first served. If more arrive than can be run, those that cannot finish in time are refused
 * before any work is done for them, so that the others can finish. If all of them shared the time, none would.
 *
 * A search is refused with `store_unavailable` if the queue is full, or if it has waited for three quarters of its time
 * when its turn comes. The last quarter is for running it.
 */
export class SearchQueue {
  readonly #slices: TimeSlices;
  readonly #limits: SearchQueueLimits;
  #waiting: WaitingSearch[] = [];
  #running = 0;

  constructor(slices: TimeSlices, limits = defaultLimits) {
    this.#slices = slices;
    this.#limits = limits;
  }

  /** Resolves with what the search returns. `search` is called when its turn comes. */
  run<T>(search: () => Generator<void, T>, deadline: Deadline): Promise<T> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(new Refusal('store_unavailable'));
      if (this.#waiting.length >= this.#limits.waiting) {
        refuse();
        return;
      }
      const start = (): Promise<void> => this.#slices.run(search(), deadline).then(resolve, reject);
      this.#waiting.push({ deadline, latestStart: deadline.remaining() / 4, start, refuse });
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#running < this.#limits.running) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (next.deadline.remaining() < next.latestStart) next.refuse();
      else void this.#run(next);
    }
  }

  async #run({ start }: WaitingSearch): Promise<void> {
    this.#running += 1;
    await start();
    this.#running -= 1;
    this.#startNext();
  }
}
