import type { BackgroundTask } from '../../core/store/background-task.ts';

/** The fraction by which each pause differs at random, so that processes that start together do not stay in step. */
const spread = 0.2;

/** Runs work again and again, with a pause after each run. */
export class RepeatedTask implements BackgroundTask {
  readonly #work: (isStopped: () => boolean) => Promise<unknown>;
  readonly #pause: number;
  #isStopped = false;
  #isFailing = false;
  #running: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  /** `pause` is in milliseconds. `work` should end soon after `isStopped` has begun to return true. */
  constructor(work: (isStopped: () => boolean) => Promise<unknown>, pause: number) {
    this.#work = work;
    this.#pause = pause;
  }

  start(report: (error: unknown) => void): void {
    this.#running = this.#run(report);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(report: (error: unknown) => void): Promise<void> {
    try {
      await this.#work(() => this.#isStopped);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !this.#isStopped) report(error);
      this.#isFailing = true;
    }
    const pause = this.#pause * (1 + spread * (2 * Math.random() - 1));
    if (!this.#isStopped) this.#timer = setTimeout(() => this.start(report), pause).unref();
  }
}
