import { closedLoop, type OpenLoad } from '../load/load.ts';
import { inOrder, type Workload } from '../load/workloads.ts';
import type { CpuMeter } from '../servers/process.ts';
import type { Server, StoreKind } from '../servers/site.ts';
import { quantile, type Measured, type Round } from './figures.ts';

/** The length of a measurement. */
export interface Effort {
  readonly rounds: number;
  /** Seconds of load of one contender in one round. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
}

/** A server under its own load. */
export interface Contender {
  readonly name: string;
  readonly workload: Workload;
  readonly server: Pick<Server, 'port' | 'adminPort' | 'cpu'>;
  /** A second server that shares the load. */
  readonly twin?: Server | undefined;
  /** Another process that its requests cost, on the core of the load generator, which therefore does not poll. */
  readonly store?: CpuMeter | null;
  /** The number of its first request. */
  readonly firstRequest?: number;
  /** Instead of those of the effort. */
  readonly connections?: number;
  /** Begins what goes on beside its load, and returns what ends that. */
  readonly beside?: () => Promise<() => void>;
}

/** Loads the contenders in turn, each once in every round, after one round that does not count. */
export async function measure(contenders: readonly Contender[], effort: Effort): Promise<readonly Measured[]> {
  const runs = contenders.map((contender) => ({
    name: contender.name,
    round: roundsOf(contender, effort.connections),
    rounds: [] as Round[],
  }));
  for (const { round } of runs) await round(effort.warmUpSeconds);
  for (let turn = 0; turn < effort.rounds; turn += 1) {
    for (const { round, rounds } of runs) rounds.push(await round(effort.seconds));
  }
  return runs.map(({ name, rounds }) => ({ name, rounds }));
}

/** Rounds of one contender; its requests are numbered through all of them. */
function roundsOf(contender: Contender, connectionsOfEffort: number): (seconds: number) => Promise<Round> {
  const { workload, server, twin, store = null, beside = async () => () => {} } = contender;
  const { connections = connectionsOfEffort } = contender;
  const { status = 200, isAdmin = false } = workload;
  const port = isAdmin ? server.adminPort : server.port;
  if (port === null) throw new Error(`${contender.name} has no admin port`);
  const ports = twin === undefined ? [port] : [port, twin.port];
  const next = inOrder(workload, contender.firstRequest);
  const cpuTimes = async (): Promise<readonly [own: number, store: number]> => [
    (await server.cpu()) + ((await twin?.cpu()) ?? 0),
    (await store?.cpu()) ?? 0,
  ];
  return async (seconds) => {
    const end = await beside();
    const [before, storeBefore] = await cpuTimes();
    const { latencies, perSecond } = await closedLoop({ ports, connections, seconds, next, status, poll: !store });
    const [after, storeAfter] = await cpuTimes();
    end();
    return {
      cpu: (after - before) / latencies.length,
      storeCpu: (storeAfter - storeBefore) / latencies.length,
      requestsPerSecond: perSecond,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
    };
  };
}

/** The target of the requests of a schedule, and the maximum number of connections. */
export type Target = Omit<OpenLoad, 'rate' | 'seconds'>;

/** Latchkey over a store. The generator polls if nothing else needs its core. */
export function targetOf({ mongod }: StoreKind, { port }: Server, next: () => string): Target {
  return { ports: [port], connections: 256, next, poll: mongod === null };
}

/** Measures the answers a second with all connections of the effort always in use, after a warm-up. */
export async function saturationOf(target: Target, effort: Effort, seconds: number): Promise<number> {
  const load = { ...target, connections: effort.connections, status: 200 };
  await closedLoop({ ...load, seconds: effort.warmUpSeconds });
  return (await closedLoop({ ...load, seconds })).perSecond;
}
