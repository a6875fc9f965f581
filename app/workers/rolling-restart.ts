import type { Logger } from 'pino';
import type { WorkerHandle } from './worker-handle.ts';

/** The pool whose workers are replaced. */
export interface RestartedPool {
  readonly log: Logger;
  readonly isStopping: () => boolean;
  readonly listening: () => readonly WorkerHandle[];
  /** Starts one more worker. Returns whether it listens; otherwise the log says why it does not. */
  readonly startAnother: () => Promise<boolean>;
  /** Logs the end of a worker that did not end because the pool stops, and starts another one unless one has replaced it. */
  readonly onUnexpectedEnd: (worker: WorkerHandle, isReplaced: boolean) => Promise<void>;
  /** Milliseconds that a worker has to leave, before it is killed. */
  readonly leaveTimeout: number;
}

/** Replaces the workers of a pool one by one: each leaves once another listens. */
export class RollingRestart {
  readonly #pool: RestartedPool;
  #running: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(pool: RestartedPool) {
    this.#pool = pool;
  }

  /** Begins once the restart that runs has ended. A worker that cannot start ends a restart. */
  request(): void {
    if (this.#isDue) return; // It will replace all that listen now.
    this.#isDue = true;
    this.#running = this.#running.then(() => this.#replaceAll());
  }

  async #replaceAll(): Promise<void> {
    this.#isDue = false;
    const { log, isStopping, listening } = this.#pool;
    if (isStopping()) return;
    log.info('restarting the workers');
    for (const worker of listening()) {
      // One that has ended meanwhile has been replaced, or is being replaced.
      if (worker.isListening && !(await this.#replace(worker))) {
        if (!isStopping()) log.error('the workers that are left were not restarted');
        return;
      }
    }
    if (!isStopping()) log.info('all workers have been restarted');
  }

  /** Lets a worker leave once another one listens. Returns false if the other one does not. */
  async #replace(worker: WorkerHandle): Promise<boolean> {
    worker.isReplacedByRestart = true;
    const isReplaced = await this.#pool.startAnother();
    if (!worker.isListening) void this.#pool.onUnexpectedEnd(worker, isReplaced);
    else if (isReplaced) await this.#retire(worker);
    else worker.isReplacedByRestart = false;
    return isReplaced;
  }

  /** Kills a worker that has not ended in time. */
  async #retire(worker: WorkerHandle): Promise<void> {
    const timer = setTimeout(() => worker.kill(), this.#pool.leaveTimeout);
    await worker.retire();
    clearTimeout(timer);
  }
}
