import { isRefusal, refuse } from '../refusals.ts';

/** Refused keys that one client address may present in a window. */
const maxGuesses = 20;

const invalidKeyCodes: ReadonlySet<string> = new Set(['invalid_app_key', 'invalid_operator_key']);

/** Milliseconds. */
const window = 60_000;

/** The look-ups of one client address. */
interface Guesses {
  /** Keys that were refused since the window began. */
  refused: number;
  /** Keys that are being looked up, each of which may be refused. */
  pending: number;
  /** When the window ends, in milliseconds of the monotonic clock; null before the first key is refused. */
  windowEnd: number | null;
  /** Requests that wait until it is known whether the pending keys are refused. */
  readonly waiting: (() => void)[];
}

/**
 * Limits how many keys a client address may guess. A look-up counts from its start, so that parallel requests cannot guess
 * more; requests above the limit wait while keys are pending, because those may be valid, and many servers share one address.
 */
export class GuessLimiter {
  readonly #byAddress = new Map<string, Guesses>();

  /** Refuses with `rate_limited` if the address has no guess left. */
  check(address: string, now: Date): void {
    const guesses = this.#byAddress.get(address);
    if (guesses !== undefined && guesses.refused >= maxGuesses) throw tooMany(restOf(guesses), now);
  }

  /** Looks a key up once the address has a guess left, and counts the guess if the key is refused. */
  async count<T>(address: string, now: Date, lookUp: () => Promise<T>): Promise<T> {
    let guesses = this.#guessesOf(address);
    while (guesses.refused + guesses.pending >= maxGuesses) {
      if (guesses.refused >= maxGuesses) throw tooMany(restOf(guesses), now);
      const { promise, resolve } = Promise.withResolvers<void>();
      guesses.waiting.push(resolve);
      await promise;
      guesses = this.#guessesOf(address); // forgotten meanwhile, if nothing was refused or pending
    }
    guesses.pending += 1;
    try {
      return await lookUp();
    } catch (error) {
      if (isRefusal(error) && invalidKeyCodes.has(error.code)) this.#countRefused(address, guesses);
      throw error;
    } finally {
      guesses.pending -= 1;
      wake(guesses);
      this.#forgetIfUnused(address, guesses);
    }
  }

  #guessesOf(address: string): Guesses {
    const known = this.#byAddress.get(address);
    if (known !== undefined) return known;
    const guesses = { refused: 0, pending: 0, windowEnd: null, waiting: [] };
    this.#byAddress.set(address, guesses);
    return guesses;
  }

  #countRefused(address: string, guesses: Guesses): void {
    guesses.refused += 1;
    if (guesses.windowEnd !== null) return;
    guesses.windowEnd = performance.now() + window;
    const endWindow = (): void => {
      Object.assign(guesses, { refused: 0, windowEnd: null });
      wake(guesses);
      this.#forgetIfUnused(address, guesses);
    };
    setTimeout(endWindow, window).unref();
  }

  #forgetIfUnused(address: string, { refused, pending, waiting }: Guesses): void {
    if (refused + pending + waiting.length === 0) this.#byAddress.delete(address);
  }
}

/** Lets every waiting request look again: how many may go on depends on why it was woken. */
function wake({ waiting }: Guesses): void {
  for (const resume of waiting.splice(0)) resume();
}

/** Milliseconds until the window ends. */
function restOf({ windowEnd }: Guesses): number {
  return (windowEnd ?? performance.now()) - performance.now();
}

/** The refusal of a request that has room after so many milliseconds. */
export function tooMany(wait: number, now: Date): ReturnType<typeof refuse> {
  return refuse('rate_limited', { retryAt: new Date(now.getTime() + wait) });
}
