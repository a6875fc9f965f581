import { GuessCounts } from './guess-counts.ts';
import type { RateLimits } from './rate-limits.ts';
import { RequestWindows, restOf } from './request-windows.ts';

/**
 * Counts the requests and guesses that are limited. Answers null if there is room, otherwise the milliseconds until
 * there is. Counts of this process, or of another that counts for several.
 */
export interface LimitCounts extends GuessLimitCounts {
  /** Counts a request of a client address, a product or an operator. */
  request(operation: string, subject: string): Promise<number | null>;
}

/** Counts the guesses of client addresses. */
export interface GuessLimitCounts {
  /** Says whether a client address may guess a key, and takes nothing. */
  guessesSpent(address: string): Promise<number | null>;
  /** Takes a guess, once it is known whether the address has one left. */
  takeGuess(address: string): Promise<number | null>;
  /** Ends a guess that was taken. */
  endGuess(address: string, isRefused: boolean): void;
}

/** Counts in the memory of this process. */
export class LocalLimitCounts implements LimitCounts {
  readonly #windows: RequestWindows;
  readonly #guesses = new GuessCounts();

  constructor(limits: RateLimits) {
    this.#windows = new RequestWindows(limits);
  }

  async request(operation: string, subject: string): Promise<number | null> {
    const window = this.#windows.of(operation, subject);
    if (window === null) return null;
    if (window.left === 0) return restOf(window);
    window.left -= 1;
    return null;
  }

  async guessesSpent(address: string): Promise<number | null> {
    return this.#guesses.spent(address);
  }

  takeGuess(address: string): Promise<number | null> {
    return this.#guesses.take(address);
  }

  endGuess(address: string, isRefused: boolean): void {
    this.#guesses.end(address, isRefused);
  }
}
