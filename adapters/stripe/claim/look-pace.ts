import { setTimeout as wait } from 'node:timers/promises';

/** Looks that claims of a process may begin in one window. */
const maxLooks = 10;

/** Milliseconds. */
const windowLength = 1000;

/** Milliseconds for which a claim waits for its turn at most. */
const maxWait = 5000;

/** Lets looks begin at most ten times a second: what comes at once waits for its turn. */
export class LookPace {
  /** When the last looks have begun or will, in milliseconds of the monotonic clock. */
  #turns: number[] = [];

  /** Waits for a turn and returns null. Returns the milliseconds until there is room if the wait would be too long. */
  async turn(): Promise<number | null> {
    const now = performance.now();
    const earliest = Math.max(now, (this.#turns.at(-maxLooks) ?? now - windowLength) + windowLength);
    if (earliest - now > maxWait) return earliest - now - maxWait;
    this.#turns = [...this.#turns.slice(1 - maxLooks), earliest];
    if (earliest > now) await wait(earliest - now);
    return null;
  }
}
