import type { TestClock } from './latchkey.ts';
import { durationOf, instantOf, type Instant } from './time/instant.ts';

/** A clock that stands still until it is moved. */
export class MovableClock implements TestClock {
  #now: Date;

  constructor(now: Instant) {
    this.#now = instantOf(now);
  }

  now(): Date {
    return new Date(this.#now);
  }

  async advance(duration: string): Promise<void> {
    this.#now = instantOf(new Date(this.#now.getTime() + durationOf(duration)));
  }

  async set(instant: Instant): Promise<void> {
    this.#now = instantOf(instant);
  }
}

/** The clock, with something that is done after each move. */
export function withAction(clock: TestClock, action: () => Promise<void>): TestClock {
  return {
    now: () => clock.now(),
    advance: (duration) => clock.advance(duration).then(action),
    set: (instant) => clock.set(instant).then(action),
  };
}
