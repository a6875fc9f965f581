import type { Deadline } from '../../core/call.ts';
import { Refusal } from '../../core/refusal.ts';

/** How long one slice may hold the event loop, in milliseconds; what a step takes comes on top. */
const slice = 2;

interface Job {
  /** Does one step; whether it was the last. */
  readonly step: () => boolean;
}

/**
 * Carries out long work in short slices of time, so that other work goes on in between. A piece of work is a generator that
 * yields after each step of at most a millisecond or so; pieces that are under way together take steps by turns.
 */
export class TimeSlices {
  #jobs: Job[] = [];

  /** What the work returns. Where it has a deadline, it is dropped then and refused with `store_unavailable`. */
  run<T>(work: Generator<void, T>, deadline?: Deadline): Promise<T> {
    return new Promise((resolve, reject) => {
      const step = (): boolean => {
        try {
          if (deadline !== undefined && deadline.remaining() <= 0) throw new Refusal('store_unavailable');
          const { done, value } = work.next();
          if (done === true) resolve(value);
          return done === true;
        } catch (error) {
          reject(error instanceof Error ? error : new Error('Work failed', { cause: error }));
          return true;
        }
      };
      if (this.#jobs.push({ step }) === 1) setImmediate(() => this.#runSlice());
    });
  }

  #runSlice(): void {
    const until = performance.now() + slice;
    while (this.#jobs.length > 0) {
      const round = this.#jobs;
      this.#jobs = [];
      for (const [position, job] of round.entries()) {
        if (performance.now() > until) {
          this.#jobs = [...round.slice(position), ...this.#jobs];
          setImmediate(() => this.#runSlice());
          return;
        }
        if (!job.step()) this.#jobs.push(job);
      }
    }
  }
}
