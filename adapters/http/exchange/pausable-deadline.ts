import { deadlineIn, type Deadline, type MonotonicClock } from '../../../core/call.ts';

const sinceStart: MonotonicClock = () => performance.now();

/** A deadline that stands still while the client is still sending, or is not yet to be answered. */
export class PausableDeadline implements Deadline {
  readonly #clock: MonotonicClock;
  #running: Deadline;
  /** What was left when it was paused; null while it runs. */
  #left: number | null = null;

  /** `start` is a reading of the clock. */
  constructor(start: number, milliseconds: number, clock = sinceStart) {
    this.#clock = clock;
    this.#running = deadlineIn(start + milliseconds - clock(), clock);
  }

  remaining(): number {
    return this.#left ?? this.#running.remaining();
  }

  pause(): void {
    this.#left = this.#running.remaining();
  }

  resume(): void {
    if (this.#left !== null) this.#running = deadlineIn(this.#left, this.#clock);
    this.#left = null;
  }
}
