import type { Deadline } from '../../core/call.ts';
import { Refusal } from '../../core/refusal.ts';

/** The maximum time for which a slice blocks the event loop, in milliseconds. Its last step may take longer. */
const sliceLength = 2;

/** Does one step of a task. Returns true if it was the last. */
type Step = () => boolean;

/**
 * Runs long tasks in short slices of time, so that other work goes on in between. A task is a generator that yields
 * after each step of about a millisecond. Tasks that run at the same time take turns, step by step.
 */
export class TimeSlices {
  #tasks: Step[] = [];

  /** Resolves with what the task returns. At its deadline, a task ends and is refused with `store_unavailable`. */
  run<T>(task: Generator<void, T>, deadline?: Deadline): Promise<T> {
    return new Promise((resolve, reject) => {
      const step = (): boolean => {
        try {
          if (deadline !== undefined && deadline.remaining() <= 0) throw new Refusal('store_unavailable');
          const { done, value } = task.next();
          if (done === true) resolve(value);
          return done === true;
        } catch (error) {
          reject(error instanceof Error ? error : new Error('Task failed', { cause: error }));
          return true;
        }
      };
      if (this.#tasks.push(step) === 1) setImmediate(() => this.#runSlice());
    });
  }

  #runSlice(): void {
    const until = performance.now() + sliceLength;
    while (this.#tasks.length > 0) {
      const round = this.#tasks;
      this.#tasks = [];
      for (const [position, step] of round.entries()) {
        if (performance.now() > until) {
          this.#tasks = [...round.slice(position), ...this.#tasks];
          setImmediate(() => this.#runSlice());
          return;
        }
        if (!step()) this.#tasks.push(step);
      }
    }
  }
}
