import { load } from '../load/load.ts';
import type { Workload } from '../load/workloads.ts';
import type { CpuMeter } from '../processes/cpu-meter.ts';
import type { MeasuredProcess } from '../processes/measured-process.ts';
import { quantile } from './spread.ts';

/** The length of a measurement. */
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
  /** Its own workload instead of that of the subject. */
  readonly workload?: Workload;
  /** Begins what goes on beside its load, and returns what ends that. */
  readonly beside?: () => Promise<() => void>;
}

/** The subject of a measurement. */
export interface Subject {
  readonly workload: Workload;
  /** The number of the first request that each contender gets. */
  readonly firstRequest: number;
  readonly contenders: readonly Contender[];
  /** A server that all contenders use, on the core of the load generator. */
  readonly store: CpuMeter | null;
}

/** The figures of one contender in one round. */
export interface Round {
  /** Microseconds of CPU of the server process for one request. */
  readonly cpu: number;
  /** The same for the server of the store; 0 if the store has none. */
  readonly storeCpu: number;
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
export async function measure(subject: Subject, effort: Effort): Promise<readonly Measured[]> {
  const { contenders } = subject;
  const runs = contenders.map((contender) => ({
    name: contender.name,
    round: runner(subject, contender, effort.connections),
  }));
  for (const { round } of runs) await round(effort.warmUpSeconds);
  const measured = runs.map(({ name }): { name: string; rounds: Round[] } => ({ name, rounds: [] }));
  for (let turn = 0; turn < effort.rounds; turn += 1) {
    for (const [index, { round }] of runs.entries()) measured[index]?.rounds.push(await round(effort.seconds));
  }
  return measured;
}

type Runner = (seconds: number) => Promise<Round>;

/** Rounds of one contender; its requests are numbered through all of them. */
function runner({ firstRequest, store, ...subject }: Subject, contender: Contender, connections: number): Runner {
  const { process, workload = subject.workload, beside = async () => () => {} } = contender;
  const { status = 200 } = workload;
  let number = firstRequest;
  const next = (): string => workload.request(number++);
  const cpuTimes = async (): Promise<readonly [own: number, store: number]> => [
    await process.cpu(),
    (await store?.cpu()) ?? 0,
  ];
  return async (seconds) => {
    const end = await beside();
    const [before, storeBefore] = await cpuTimes();
    const result = await load({ port: process.port, connections, seconds, next, status, poll: store === null });
    const [after, storeAfter] = await cpuTimes();
    end();
    const { requests, latencies } = result;
    return {
      cpu: (after - before) / requests,
      storeCpu: (storeAfter - storeBefore) / requests,
      requestsPerSecond: requests / result.seconds,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
    };
  };
}
