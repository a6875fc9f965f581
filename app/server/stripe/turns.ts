import type { Deadline } from '../../../core/call.ts';

/** Lets a few do their work at the same time, and the others wait for their turn, the first first. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Does the work when its turn has come. Returns null if that does not come before the deadline. */
  async take<T>(deadline: Deadline, work: () => Promise<T>): Promise<T | null> {
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#wait(deadline))) return null;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #wait(deadline: Deadline): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(begin), 1);
          resolve(false);
        },
        Math.max(0, deadline.remaining()),
      );
      this.#waiting.push(begin);
    });
  }
}
