/** How many commands of one kind may be under way. One that the store leaves unanswered gives up its slot. */
export class Semaphore {
  readonly #count: number;
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  get areTaken(): boolean {
    return this.#taken >= this.#count;
  }

  /** Takes one, for `patience` milliseconds at the most. The function gives it back; `released` is called once. */
  take(patience: number, released: () => void): () => void {
    this.#taken += 1;
    let held = true;
    const giveBack = (): void => {
      clearTimeout(timer);
      if (!held) return;
      held = false;
      this.#taken -= 1;
      released();
    };
    const timer = setTimeout(giveBack, patience);
    return giveBack;
  }
}
