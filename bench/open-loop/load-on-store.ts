import type { Effort } from '../comparisons/rounds.ts';
import { load } from '../load/load.ts';
import { openLoop } from '../load/open-loop.ts';
import type { OnStore } from './stores.ts';

/** Requests of a schedule in flight at most. */
const connections = 256;

/** The answers to the requests of a schedule. */
export interface Answers {
  readonly perSecond: number;
  /** Milliseconds from the time a request was due to the end of its answer, ascending. */
  readonly latencies: Float64Array;
  readonly errors: number;
}

/** Measures the answers a second with all connections of the effort always in use, after a warm-up. */
export async function saturationOf(
  { latchkey: { port }, poll }: OnStore,
  next: () => string,
  effort: Pick<Effort, 'connections' | 'warmUpSeconds' | 'seconds'>,
): Promise<number> {
  const always = { port, connections: effort.connections, next, status: 200, poll };
  await load({ ...always, seconds: effort.warmUpSeconds });
  const { requests, seconds } = await load({ ...always, seconds: effort.seconds });
  return requests / seconds;
}

/** Sends so many requests a second, however long their answers take. */
export async function sendBySchedule(
  { latchkey: { port }, poll }: OnStore,
  next: () => string,
  rate: number,
  seconds: number,
): Promise<Answers> {
  const latencies: number[] = [];
  let errors = 0;
  const perSecond = await openLoop({ port, connections, rate, seconds, next, poll }, (latency, isExpected) => {
    latencies.push(latency);
    if (!isExpected) errors += 1;
  });
  return { perSecond, latencies: Float64Array.from(latencies).toSorted(), errors };
}
