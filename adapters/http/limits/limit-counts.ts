import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { GuessCounts } from './guess-counts.ts';
import type { RateLimits } from './rate-limits.ts';

const secondsPerWindow = 60;

/**
 * Counts the requests and guesses that are limited. Answers null if there is room, otherwise the milliseconds until
 * there is. Counts of this process, or of another that counts for several.
 */
export interface LimitCounts {
  /** Counts a request of a client address, a product or an operator. */
  request(operation: string, subject: string): Promise<number | null>;
  /** Says whether a client address may guess a key, and takes nothing. */
  guessesSpent(address: string): Promise<number | null>;
  /** Takes a guess, once it is known whether the address has one left. */
  takeGuess(address: string): Promise<number | null>;
  /** Ends a guess that was taken. */
  endGuess(address: string, isRefused: boolean): void;
}

/** Counts in the memory of this process. */
export class LocalLimitCounts implements LimitCounts {
  readonly #limiters: ReadonlyMap<string, RateLimiterMemory>;
  readonly #guesses = new GuessCounts();

  constructor(limits: RateLimits) {
    this.#limiters = new Map(
      Object.entries(limits).map(([id, points]) => [id, new RateLimiterMemory({ points, duration: secondsPerWindow })]),
    );
  }

  async request(operation: string, subject: string): Promise<number | null> {
    try {
      await this.#limiters.get(operation)?.consume(subject);
      return null;
    } catch (spent) {
      if (spent instanceof RateLimiterRes) return spent.msBeforeNext;
      throw spent;
    }
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
