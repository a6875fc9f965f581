/** One queue for each thing: work on different things goes on at once; work on one thing, one after the other. */
export class KeyedQueues {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #underWay = new Set<Promise<unknown>>();

  /** What `work` resolves with; it begins when all that came before for the same thing is over. */
  run<T>(thing: string | undefined, work: () => Promise<T>): Promise<T> {
    const before = thing === undefined ? undefined : this.#last.get(thing);
    const result = before === undefined ? work() : before.then(work);
    const over: Promise<void> = result.then(
      () => this.#forget(thing, over),
      () => this.#forget(thing, over),
    );
    this.#underWay.add(over);
    if (thing !== undefined) this.#last.set(thing, over);
    return result;
  }

  /** Resolves when nothing is under way any more. */
  async over(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #forget(thing: string | undefined, over: Promise<unknown>): void {
    this.#underWay.delete(over);
    if (thing !== undefined && this.#last.get(thing) === over) this.#last.delete(thing);
  }
}
