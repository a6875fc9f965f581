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

  /** Resolves after so many milliseconds, or when the time is over. */
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

  /** Lets go of the caller's signal, which may live on. */
  stop(): void {
    clearTimeout(this.#timeout);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}
