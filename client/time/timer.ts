/** The time that one call has, with all its tries. It ends early if the caller's signal is aborted. */
export class Timer {
  readonly #ended = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #end: number;
  readonly #timeout: ReturnType<typeof setTimeout>;
  readonly #onAbort = (): void => this.#ended.abort();

  constructor(milliseconds: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#end = performance.now() + milliseconds;
    this.#timeout = setTimeout(() => this.#ended.abort(), milliseconds);
    if (caller?.aborted === true) this.#ended.abort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Aborted when the time is over, for whatever reason. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Throws the reason of the caller's signal if that was aborted. */
  throwIfAborted(): void {
    this.#caller?.throwIfAborted();
  }

  /** Milliseconds that are left. */
  remaining(): number {
    return this.#end - performance.now();
  }

  /** Returns the value of a promise. Rejects when the time is over, because the promise may ignore the signal. */
  race<Result>(awaited: Promise<Result>): Promise<Result> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new Error('The time is over'));
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      void awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    });
  }

  /** Resolves after `milliseconds`, or when the time is over. */
  sleep(milliseconds: number): Promise<void> {
    const { signal } = this;
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timeout);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timeout = setTimeout(wake, milliseconds);
      if (signal.aborted) wake();
      else signal.addEventListener('abort', wake);
    });
  }

  /** Stops listening to the caller's signal, which may live on. */
  stop(): void {
    clearTimeout(this.#timeout);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}

/** Bounds of the wait before the first retry and before any, in milliseconds. */
const firstBound = 500;
const maxBound = 8000;

/**
 * Returns the milliseconds to wait before a retry, counted from 1: the time that the service asks for, and a random
 * part, so that clients that failed together do not come back together. The bound of the random part doubles with each
 * retry.
 */
export function retryDelay(retry: number, retryAfter: number | null, random: () => number): number {
  const bound = Math.min(maxBound, firstBound * 2 ** (retry - 1));
  return (retryAfter ?? 0) + random() * bound;
}

/**
 * Reads a `Retry-After` (RFC 9110 §10.2.3), in seconds or as a date, into milliseconds from `now`. Returns null where it
 * is absent or neither.
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
