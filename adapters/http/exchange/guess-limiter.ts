import type { LimitCounts } from '../limits/limit-counts.ts';
import { isRefusal, refuse } from '../refusals.ts';

const invalidKeyCodes: ReadonlySet<string> = new Set(['invalid_app_key', 'invalid_operator_key']);

/** Limits how many keys a client address may guess. */
export class GuessLimiter {
  readonly #counts: Omit<LimitCounts, 'request'>;

  constructor(counts: Omit<LimitCounts, 'request'>) {
    this.#counts = counts;
  }

  /** Refuses with `rate_limited` if the address has no guess left. */
  async check(address: string, now: Date): Promise<void> {
    refuseAfter(await this.#counts.guessesSpent(address), now);
  }

  /** Looks a key up once the address has a guess left, and counts the guess if the key is refused. */
  async count<T>(address: string, now: Date, lookUp: () => Promise<T>): Promise<T> {
    refuseAfter(await this.#counts.takeGuess(address), now);
    let isRefused = false;
    try {
      return await lookUp();
    } catch (error) {
      isRefused = isRefusal(error) && invalidKeyCodes.has(error.code);
      throw error;
    } finally {
      this.#counts.endGuess(address, isRefused);
    }
  }
}

/** Refuses a request that has room after so many milliseconds; null means that it has. */
export function refuseAfter(wait: number | null, now: Date): void {
  if (wait !== null) throw refuse('rate_limited', { retryAt: new Date(now.getTime() + wait) });
}
