import type { WorkerHandle } from './worker-handle.ts';

/** Milliseconds between two times that a worker is asked for a sign of life. */
const pause = 1000;

/** A worker that has been asked so often in vain hangs. This counts, not the time: the primary may have been halted as well. */
const maxMissed = 20;

/** Calls `onHanging` with each worker that hangs, such as in an endless loop. Returns a function that ends this. */
export function watchHeartbeats(
  workers: ReadonlySet<WorkerHandle>,
  onHanging: (worker: WorkerHandle) => void,
): () => void {
  const timer = setInterval(() => {
    for (const worker of workers) if (worker.canAnswer && worker.beat() > maxMissed) onHanging(worker);
  }, pause);
  return () => clearInterval(timer);
}
