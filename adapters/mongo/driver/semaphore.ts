/** Limits how many commands of one kind are in flight. */
export class Semaphore {
  readonly #limit: number;
  #acquired = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#acquired >= this.#limit;
  }

  /**
   * Takes a place, and returns the function that releases it. After `timeout` milliseconds the place is released by
   * itself, so that a command without an answer does not block the others. `onRelease` is called once, either way.
   */
  acquire(timeout: number, onRelease: () => void): () => void {
    this.#acquired += 1;
    let isHeld = true;
    const release = (): void => {
      clearTimeout(timer);
      if (!isHeld) return;
      isHeld = false;
      this.#acquired -= 1;
      onRelease();
    };
    const timer = setTimeout(release, timeout);
    return release;
  }
}
