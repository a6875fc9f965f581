import { load } from './load.ts';
import type { MeasuredProcess } from './measured-process.ts';
import { quantile } from './spread.ts';
import type { Workload } from './workloads.ts';

/** How much is measured. */
export interface Effort {
  readonly rounds: number;
  /** Seconds of load of one contender in one round. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
}

export interface Contender {
  readonly name: string;
  readonly process: MeasuredProcess;
}

/** What one contender did in one round. */
export interface Round {
  /** Microseconds of CPU of the server process for one request. */
  readonly cpu: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Measured {
  readonly name: string;
  readonly rounds: readonly Round[];
}

/** Loads the contenders in turn, each once in every round, after one round that does not count. */
export async function measure(
  workload: Workload,
  contenders: readonly Contender[],
  effort: Effort,
): Promise<readonly Measured[]> {
  const runs = contenders.map(({ name, process }) => ({ name, round: runner(workload, process, effort.connections) }));
  for (const { round } of runs) await round(effort.warmUpSeconds);
  const measured = runs.map(({ name }): { name: string; rounds: Round[] } => ({ name, rounds: [] }));
  for (let turn = 0; turn < effort.rounds; turn += 1) {
    for (const [index, { round }] of runs.entries()) measured[index]?.rounds.push(await round(effort.seconds));
  }
  return measured;
}

/** Rounds of one contender; its requests are numbered through all of them. */
function runner(workload: Workload, process: MeasuredProcess, connections: number): (s: number) => Promise<Round> {
  let number = 0;
  const next = (): string => workload.request(number++);
  return async (seconds) => {
    const before = await process.cpu();
    const { requests, seconds: took, latencies } = await load({ ...process, connections, seconds, next, status: 200 });
    return {
      cpu: ((await process.cpu()) - before) / requests,
      requestsPerSecond: requests / took,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
    };
  };
}
