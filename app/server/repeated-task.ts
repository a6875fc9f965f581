import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Logger } from 'pino';
import type { BackgroundTask } from '../../core/store/store.port.ts';

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

/** Milliseconds between two trials. */
const trialPause = 1000;

const noFile =
  'no further file can be opened: the system closes new connections (raise LimitNOFILE= of systemd, or ulimit -n)';

/**
 * Logs once for each series of trials in which this process cannot open a file, because it or the system has as many open as
 * it may. Without it nobody would know: libuv closes the connections that it cannot accept by itself.
 */
export function watchDescriptors(log: Logger): Pick<BackgroundTask, 'stop'> {
  const task = new RepeatedTask(async () => {
    closeSync(openSync(devNull, 'r')); // Two system calls take less time than handing them to another thread.
  }, trialPause);
  task.start((err) => log.error({ err }, noFile));
  return task;
}
