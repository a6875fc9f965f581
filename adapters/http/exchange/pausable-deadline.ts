import type { Deadline, MonotonicClock } from '../../../core/call.ts';

export const monotonicTime: MonotonicClock = () => performance.now();

/**
 * A deadline that is paused while the client is sending or the request waits in a pipeline. Every request has one, so it
 * reads the clock only when it is asked.
 */
export class PausableDeadline implements Deadline {
  readonly #clock: MonotonicClock;
  #end: number;
  /** When it was paused; null while it runs. */
  #pausedAt: number | null = null;

  /** `start` is a reading of the clock. */
  constructor(start: number, milliseconds: number, clock = monotonicTime) {
    this.#clock = clock;
    this.#end = start + milliseconds;
  }

  remaining(): number {
    return this.#end - (this.#pausedAt ?? this.#clock());
  }

  pause(): void {
    this.#pausedAt = this.#clock();
  }

  resume(): void {
    if (this.#pausedAt !== null) this.#end += this.#clock() - this.#pausedAt;
    this.#pausedAt = null;
  }
}
