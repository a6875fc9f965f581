import type { Moment } from '../../../core/clock/clock-state.ts';
import { noon } from '../builders.ts';

/** The wall clock and the monotonic clock of a process, as a test moves them. */
export class MovedClocks {
  #wall: number;
  #monotonic: number;

  constructor(start = noon, monotonic = 1000) {
    this.#wall = start.getTime();
    this.#monotonic = monotonic;
  }

  readonly now = (): Date => new Date(this.#wall);

  readonly monotonic = (): number => this.#monotonic;

  get moment(): Moment {
    return { wall: this.now(), monotonic: this.#monotonic };
  }

  /** Lets time pass. */
  pass(milliseconds: number): void {
    this.#wall += milliseconds;
    this.#monotonic += milliseconds;
  }

  /** Sets the wall clock forward, or back, by some milliseconds. */
  set(milliseconds: number): void {
    this.#wall += milliseconds;
  }
}
