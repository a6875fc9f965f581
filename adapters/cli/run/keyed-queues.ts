/** Runs work on the same key in turn, and work on different keys concurrently. */
export class KeyedQueues {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #running = new Set<Promise<unknown>>();

  /** Runs `work` when all earlier work on the same key has ended; work without a key starts at once. */
  run<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    const before = key === undefined ? undefined : this.#last.get(key);
    const result = before === undefined ? work() : before.then(work);
    const end: Promise<void> = result.then(
      () => this.#forget(key, end),
      () => this.#forget(key, end),
    );
    this.#running.add(end);
    if (key !== undefined) this.#last.set(key, end);
    return result;
  }

  /** Resolves when no work is left. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #forget(key: string | undefined, end: Promise<unknown>): void {
    this.#running.delete(end);
    if (key !== undefined && this.#last.get(key) === end) this.#last.delete(key);
  }
}
