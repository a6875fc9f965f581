import type { Beats, WorkerHandle } from './worker-handle.ts';

/** Milliseconds between two heartbeats that a worker is asked for. */
const pause = 1000;

/**
 * The number of heartbeats that a healthy worker may miss. Heartbeats are counted rather than seconds, because the
 * primary may have been paused too. A worker that starts may miss more, because it loads the program.
 */
const maxMissed = 20;
const maxMissedAtStart = 30;

/**
 * The number of heartbeats within which a worker must listen. By default, opening the store and loading the catalog
 * takes at most 65 s.
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
