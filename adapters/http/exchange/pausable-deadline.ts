import type { Deadline } from '../../../core/call.ts';

const sinceStart = (): number => performance.now();

/** A deadline that stands still while the client is still sending, or is not yet to be answered. */
export class PausableDeadline implements Deadline {
  readonly #clock: () => number;
  #end: number;
  #pausedAt: number | null = null;

  /** `start` is by the clock, which counts milliseconds and never jumps. */
  constructor(start: number, milliseconds: number, clock = sinceStart) {
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
