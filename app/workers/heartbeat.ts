import type { Beats, WorkerHandle } from './worker-handle.ts';

/** Milliseconds between two times that a worker is asked for a sign of life. */
const pause = 1000;

/**
 * A worker that has been asked so often in vain hangs. This counts, not the time: the primary may have been halted as well.
 * One that starts is busy at first, because it loads the program.
 */
const maxMissed = 20;
const maxMissedAtStart = 30;

/**
 * A worker that was asked so often and does not listen hangs: by default, to open the store and load
 * the catalog takes 65 s at most.
 */
const maxAskedAtStart = 90;

/** Whether a worker hangs. */
export function hangs({ isStarting, asked, missed }: Beats): boolean {
  return isStarting ? missed > maxMissedAtStart || asked > maxAskedAtStart : missed > maxMissed;
}

/** Calls `onHanging` with each worker that hangs, such as in an endless loop. Returns a function that ends this. */
export function watchHeartbeats(
  workers: ReadonlySet<WorkerHandle>,
  onHanging: (worker: WorkerHandle) => void,
): () => void {
  const timer = setInterval(() => {
    for (const worker of workers) if (worker.state !== 'ended' && hangs(worker.beat())) onHanging(worker);
  }, pause);
  return () => clearInterval(timer);
}
