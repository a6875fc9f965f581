import type { GuessLimitCounts } from '../../adapters/http/limits/limit-counts.ts';

/** Counts the guesses for one worker among others. Those that it has taken end with it. */
export class WorkerGuesses implements GuessLimitCounts {
  readonly #counts: GuessLimitCounts;
  readonly #taken = new Map<string, number>();
  #hasEnded = false;

  constructor(counts: GuessLimitCounts) {
    this.#counts = counts;
  }

  readonly guessesSpent: GuessLimitCounts['guessesSpent'] = (address) => this.#counts.guessesSpent(address);

  readonly takeGuess: GuessLimitCounts['takeGuess'] = async (address) => {
    const wait = await this.#counts.takeGuess(address);
    if (wait !== null) return wait;
    if (this.#hasEnded) this.#counts.endGuess(address, false);
    else this.#taken.set(address, (this.#taken.get(address) ?? 0) + 1);
    return null;
  };

  readonly endGuess: GuessLimitCounts['endGuess'] = (address, isRefused) => {
    const taken = this.#taken.get(address) ?? 0;
    if (taken === 0) return; // Its end has ended it.
    if (taken > 1) this.#taken.set(address, taken - 1);
    else this.#taken.delete(address);
    this.#counts.endGuess(address, isRefused);
  };

  /** Ends the guesses whose outcome nobody will report, without counting them. */
  end(): void {
    this.#hasEnded = true;
    for (const [address, taken] of this.#taken) {
      for (let left = taken; left > 0; left -= 1) this.#counts.endGuess(address, false);
    }
    this.#taken.clear();
  }
}
